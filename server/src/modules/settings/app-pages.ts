import type { Runtime } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type AppRow,
  deleteApp,
  findAppOf,
  listConnectedWorkspaceIds,
  rotateAppSecret,
  setAppEnabled,
  updateApp,
} from '../oauth/public.ts'
import {
  type FieldErrors,
  type FormFields,
  type Part,
  fieldErrorsOf,
  html,
  moment,
  named,
  seeOther,
  shownOnce,
} from '../pages/public.ts'
import { type EnteredApp, appDetails, appFields, enteredApp } from './app-form.ts'
import { appState } from './app-list-pages.ts'
import { scopeList } from './scope-parts.ts'
import { button, confirmation, settingsForm, settingsPage } from './settings-page.ts'
import { type SettingsRequest, buttonRoute, settingsRoute } from './settings-route.ts'

/** Shows and changes one app. */
export const appRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/apps/:app', { GET: appPage }),
  // Editing requires a recent sign-in, because redirect URIs determine who receives authorization codes.
  settingsRoute(
    runtime,
    '/apps/:app/edit',
    { GET: async (request) => editPage(request, await appOf(request)), POST: update },
    'page',
  ),
  settingsRoute(runtime, '/apps/:app/secret', { GET: askRotate, POST: rotate }, 'page'),
  settingsRoute(runtime, '/apps/:app/delete', { GET: askDelete, POST: remove }, 'page'),
  buttonRoute(runtime, '/apps/:app/disable', pathOf, ({ ctx, id }) => setAppEnabled(ctx, id('app'), false)),
  buttonRoute(
    runtime,
    '/apps/:app/enable',
    pathOf,
    ({ ctx, id }) => setAppEnabled(ctx, id('app'), true),
    'form',
  ),
]

const pathOf = ({ base, id }: SettingsRequest) => `${base}/apps/${id('app')}`
const appOf = async ({ ctx, membership, id }: SettingsRequest): Promise<AppRow> =>
  orNotFound(await findAppOf(ctx.directory, membership.workspace.id, id('app')))

async function appPage(request: SettingsRequest): Promise<PlainResponse> {
  const app = await appOf(request)
  const path = pathOf(request)
  return settingsPage(request, 'apps', {
    title: `App: ${app.name}`,
    heading: html`App: ${named(app.name)}`,
    main: html`<dl class="facts">
<dt>Status</dt><dd>${appState(app)}${app.disabled_at === null ? '' : html` since ${moment(app.disabled_at)}`}</dd>
<dt>Client ID</dt><dd><code>${app.id}</code></dd>
<dt>Type</dt><dd>${app.confidential ? 'confidential' : 'public'}</dd>
${app.confidential ? html`<dt>Client secret</dt><dd>${secretText(request, app)}</dd>` : ''}
<dt>Redirect URIs</dt><dd>${app.redirect_uris.map((uri) => html`<div><code>${uri}</code></div>`)}</dd>
<dt>Registered</dt><dd>${moment(app.created_at)}</dd>
</dl>
<h2>Scopes</h2>
${scopeList(app.scopes)}
<div class="buttons"><a class="button" href="${path}/edit">Edit</a>
${app.confidential ? html`<a class="button" href="${path}/secret">Rotate secret</a>` : ''}
${app.disabled_at === null ? button(request, `${path}/disable`, 'Disable') : button(request, `${path}/enable`, 'Enable')}
<a class="button danger" href="${path}/delete">Delete</a></div>
<p class="muted">A disabled app loses access, starting with its next request. Gable keeps the approvals of workspaces.</p>`,
  })
}

const secretText = ({ ctx }: SettingsRequest, { secret_prefix, previous_secret_until }: AppRow): Part => {
  const rotated =
    previous_secret_until !== null && Date.parse(previous_secret_until) > ctx.clock.real.now().getTime()
  return html`<code>${secret_prefix}…</code>${rotated ? html`; the previous one works until ${moment(previous_secret_until)}` : ''}`
}

function editPage(
  request: SettingsRequest,
  app: AppRow,
  entered = asEntered(app),
  errors: FieldErrors = {},
): PlainResponse {
  return settingsPage(request, 'apps', {
    title: 'Edit app',
    status: Object.keys(errors).length === 0 ? 200 : 400,
    main: html`<p>Removed scopes stop working at once, in every workspace that approved the app. Each workspace must approve added
scopes.</p>
${settingsForm(request, { label: 'Save', back: pathOf(request), fields: appFields(entered, errors) })}`,
  })
}

const asEntered = ({ name, redirect_uris, scopes }: AppRow): EnteredApp => ({
  name,
  redirect_uris: redirect_uris.join('\n'),
  scopes,
})

async function update(request: SettingsRequest, form: FormFields): Promise<PlainResponse> {
  const app = await appOf(request)
  const entered = enteredApp(form)
  try {
    await updateApp(request.ctx, app.id, appDetails(entered))
    return seeOther(pathOf(request))
  } catch (error) {
    return editPage(request, app, entered, fieldErrorsOf(error))
  }
}

async function askRotate(request: SettingsRequest): Promise<PlainResponse> {
  const { name, confidential } = await appOf(request)
  if (!confidential) return seeOther(pathOf(request))
  return confirmation(request, 'apps', {
    title: 'Rotate the client secret',
    text: html`<p>${named(name)} gets a new secret. The current secret works for another 24 hours; older ones stop working now.</p>`,
    label: 'Rotate secret',
    kind: 'primary',
    back: pathOf(request),
  })
}

async function rotate(request: SettingsRequest): Promise<PlainResponse> {
  const { app, secret } = await rotateAppSecret(request.ctx, request.id('app'))
  return settingsPage(request, 'apps', {
    title: 'The new client secret',
    main: html`${shownOnce('The client secret', secret)}
<p>The previous secret works until ${moment(app.previous_secret_until)}.</p>
<p><a href="${pathOf(request)}">Back to ${named(app.name)}</a></p>`,
  })
}

async function askDelete(request: SettingsRequest): Promise<PlainResponse> {
  const app = await appOf(request)
  const { length } = await listConnectedWorkspaceIds(request.ctx.directory, app.id)
  return confirmation(request, 'apps', {
    title: 'Delete app',
    text: html`<p>${named(app.name)} loses access, starting with its next request. Its secrets, tokens, and webhooks, and the approvals of ${
      length === 1 ? '1 workspace' : `${length} workspaces`
    } are deleted. This cannot be undone. The audit log is kept.</p>`,
    label: 'Delete app',
    back: pathOf(request),
  })
}

async function remove({ ctx, base, id }: SettingsRequest): Promise<PlainResponse> {
  await deleteApp(ctx, id('app'))
  return seeOther(`${base}/apps`)
}
