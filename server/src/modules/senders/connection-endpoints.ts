import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { findConnection, listConnections } from './connection-queries.ts'
import { ConnectionDraft, ConnectionPatch, connections, presentConnection } from './connection.ts'
import { disconnectConnection } from './disconnect.ts'
import { createConnection, updateConnection } from './save-connection.ts'

const scope = 'settings:manage'
const tag = 'Connections'

export const getConnections = listEndpoint('GET /connections', {
  scope,
  tag,
  summary: 'List connections',
  description:
    'Returns the accounts with the providers that messages and calls go through and that documents are signed with, newest first, without their credentials.',
  item: connections.Record,
  rows: ({ directory, workspaceId }, { page }) => listConnections(directory, workspaceId, page.keyset()),
  present: presentConnection,
})

export const postConnection = endpoint('POST /connections', {
  scope,
  tag,
  recentSignIn: true,
  summary: 'Connect an account with a provider',
  description:
    'Gable encrypts the credentials and never shows them. In a workspace in test mode, every connection is simulated.',
  body: ConnectionDraft,
  responses: { 201: connections.Record },
  handle: async (ctx, { body }) => created(presentConnection(await createConnection(ctx, body))),
})

export const getConnection = endpoint('GET /connections/{id}', {
  scope,
  tag,
  summary: 'Retrieve a connection',
  description: 'A connection is an account at a provider. Its credentials are never returned.',
  responses: { 200: connections.Record },
  handle: async ({ directory, workspaceId }, { params }) =>
    ok(presentConnection(orNotFound(await findConnection(directory, workspaceId, params.id)))),
})

export const patchConnection = endpoint('PATCH /connections/{id}', {
  scope,
  tag,
  recentSignIn: true,
  summary: 'Update a connection',
  description:
    'A new `secret` replaces the credentials. For 24 hours, Gable also accepts callbacks that were signed with the previous ones.',
  body: ConnectionPatch,
  responses: { 200: connections.Record },
  handle: async (ctx, { params, body }) =>
    ok(presentConnection(await updateConnection(ctx, params.id, body))),
})

export const postConnectionDisconnect = endpoint('POST /connections/{id}/disconnect', {
  scope,
  tag,
  recentSignIn: true,
  summary: 'Disconnect a connection',
  description:
    'Deletes its credentials. From then on, it carries nothing, and Gable rejects the callbacks of its provider. New credentials connect it again. Disconnecting it again changes nothing.',
  responses: { 200: connections.Record },
  errors: {
    409: '`connection_in_use`: senders belong to it. `connection_has_calls`: its calls are waiting or in progress, or erased data is still to be removed at the provider.',
  },
  handle: async (ctx, { params }) => ok(presentConnection(await disconnectConnection(ctx, params.id))),
})
