import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Removal } from '#kernel/schemas.ts'
import { AppWithSecret, appRecord, presentApp } from './apps/app.ts'
import { createApp } from './apps/create-app.ts'
import { findAppOf, listApps } from './apps/queries.ts'
import { ConnectedApp, presentGrant } from './grants/grant.ts'
import { findGrant, listLiveGrants } from './grants/queries.ts'
import { revokeGrant } from './grants/revoke-grant.ts'
import { deleteApp, rotateAppSecret, setAppEnabled, updateApp } from './manage-app.ts'

const apps = { scope: 'settings:manage', tag: 'Apps' } as const
const connectedApps = { scope: 'settings:manage', tag: 'Connected apps' } as const

export const getApps = listEndpoint('GET /apps', {
  ...apps,
  summary: 'List apps',
  description: 'The apps that this workspace has registered, newest first.',
  item: appRecord.Record,
  rows: (ctx, { page }) => listApps(ctx.directory, ctx.workspaceId, page),
  present: presentApp,
})

export const postApp = endpoint('POST /apps', {
  ...apps,
  summary: 'Register an app',
  description:
    'The response shows the client secret, which is never shown again. A public app has no secret and authenticates only with PKCE.',
  body: appRecord.Draft,
  responses: { 201: AppWithSecret },
  returnsSecret: true,
  recentSignIn: true,
  fields: true,
  handle: async (ctx, { body }) => {
    const { app, secret } = await createApp(ctx, body)
    return created({ ...presentApp(app), client_id: app.id, client_secret: secret ?? null })
  },
})

export const getApp = endpoint('GET /apps/{id}', {
  ...apps,
  summary: 'Retrieve an app',
  description:
    'Apps belong to the workspace that registered them. Workspaces that use an app see it under `/grants`.',
  responses: { 200: appRecord.Record },
  handle: async (ctx, { params }) =>
    ok(presentApp(orNotFound(await findAppOf(ctx.directory, ctx.workspaceId, params.id)))),
})

export const patchApp = endpoint('PATCH /apps/{id}', {
  ...apps,
  summary: 'Update an app',
  description:
    'Removed scopes stop working at once in every workspace that has approved the app. Each workspace must approve added scopes. `redirect_uris` replaces all redirect URIs.',
  body: appRecord.Patch,
  responses: { 200: appRecord.Record },
  recentSignIn: true,
  handle: async (ctx, { params, body }) => ok(presentApp(await updateApp(ctx, params.id, body))),
})

export const postAppSecret = endpoint('POST /apps/{id}/rotate-secret', {
  ...apps,
  summary: 'Rotate the client secret',
  description:
    'The response shows the new secret, which is never shown again. The previous secret works for another 24 hours; older secrets stop working.',
  responses: { 200: AppWithSecret },
  returnsSecret: true,
  recentSignIn: true,
  fields: true,
  errors: { 409: '`public_app`: the app is public, so it has no client secret.' },
  handle: async (ctx, { params }) => {
    const { app, secret } = await rotateAppSecret(ctx, params.id)
    return ok({ ...presentApp(app), client_id: app.id, client_secret: secret })
  },
})

export const postDisableApp = endpoint('POST /apps/{id}/disable', {
  ...apps,
  summary: 'Disable an app',
  description:
    'The app loses access to all workspaces, starting with its next request. Gable keeps the approvals, so the app works again once you enable it.',
  responses: { 200: appRecord.Record },
  handle: async (ctx, { params }) => ok(presentApp(await setAppEnabled(ctx, params.id, false))),
})

export const postEnableApp = endpoint('POST /apps/{id}/enable', {
  ...apps,
  recentSignIn: true,
  summary: 'Enable an app',
  description:
    'Workspaces can connect the app again, and the access that they gave it before it was disabled works again if it has not been revoked.',
  responses: { 200: appRecord.Record },
  handle: async (ctx, { params }) => ok(presentApp(await setAppEnabled(ctx, params.id, true))),
})

export const removeApp = endpoint('DELETE /apps/{id}', {
  ...apps,
  recentSignIn: true,
  summary: 'Delete an app',
  description:
    'The app loses access to every workspace, starting with its next request. Gable deletes its approvals and webhooks.',
  responses: { 200: Removal },
  handle: async (ctx, { params }) => {
    await deleteApp(ctx, params.id)
    return ok({ id: params.id, deleted: true })
  },
})

export const getGrants = listEndpoint('GET /grants', {
  ...connectedApps,
  summary: 'List connected apps',
  description: 'The grants of apps that can access this workspace, newest first.',
  item: ConnectedApp,
  rows: (ctx, { page }) => listLiveGrants(ctx.directory, ctx.workspaceId, page),
  present: presentGrant,
})

export const getGrant = endpoint('GET /grants/{id}', {
  ...connectedApps,
  summary: 'Retrieve a connected app',
  description: 'What the app may do in this workspace, who allowed it, and when it was last used.',
  responses: { 200: ConnectedApp },
  fields: true,
  handle: async (ctx, { params }) =>
    ok(presentGrant(orNotFound(await findGrant(ctx.directory, ctx.workspaceId, params.id)))),
})

export const deleteGrant = endpoint('DELETE /grants/{id}', {
  ...connectedApps,
  summary: 'Disconnect an app',
  description:
    'The app loses access to this workspace, starting with its next request: Gable revokes its tokens and deletes its webhooks here. The app can request access again.',
  responses: { 200: Removal },
  handle: async (ctx, { params }) => {
    await revokeGrant(ctx, params.id)
    return ok({ id: params.id, deleted: true })
  },
})
