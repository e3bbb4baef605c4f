import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { type AppRow, createApp, listApps } from '../oauth/public.ts'
import {
  type FieldErrors,
  type FormFields,
  type Part,
  day,
  fieldErrorsOf,
  html,
  named,
  shownOnce,
  table,
} from '../pages/public.ts'
import { type EnteredApp, appDetails, appFields, enteredApp, kindChoice } from './app-form.ts'
import { scopeNames } from './scope-parts.ts'
import { settingsForm, settingsPage } from './settings-page.ts'
import { type SettingsRequest, settingsRoute } from './settings-route.ts'

/** Lists and registers the apps of a workspace. */
export const appListRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/apps', { GET: listPage }),
  settingsRoute(
    runtime,
    '/apps/new',
    { GET: async (request) => newPage(request, blank, true), POST: register },
    'page',
  ),
]

async function listPage(request: SettingsRequest): Promise<PlainResponse> {
  const { ctx, membership, base } = request
  const apps = await listApps(ctx.directory, membership.workspace.id)
  const rows = apps.map((app) => [
    html`<a href="${base}/apps/${app.id}">${named(app.name)}</a>`,
    html`<code>${app.id}</code>`,
    scopeNames(app.scopes),
    day(app.created_at),
    appState(app),
  ])
  return settingsPage(request, 'apps', {
    title: 'Apps',
    main: html`<p>An app uses OAuth 2.0 to access workspaces whose owners or admins approve it.</p>
<p class="buttons"><a class="button primary" href="${base}/apps/new">Register an app</a></p>
${table(
  'Apps, newest first',
  ['Name', 'Client ID', 'Scopes', 'Registered', 'Status'],
  rows,
  'No apps yet. Register an app to build an integration for other workspaces. For this workspace alone, an API key is simpler.',
)}`,
  })
}

export const appState = ({ disabled_at }: AppRow): Part =>
  disabled_at === null
    ? html`<span class="badge good">enabled</span>`
    : html`<span class="badge bad">disabled</span>`

const blank: EnteredApp = { name: '', redirect_uris: '', scopes: [] }

const newPage = (
  request: SettingsRequest,
  entered: EnteredApp,
  confidential: boolean,
  errors: FieldErrors = {},
): PlainResponse =>
  settingsPage(request, 'apps', {
    title: 'Register an app',
    status: Object.keys(errors).length === 0 ? 200 : 400,
    main: settingsForm(request, {
      label: 'Register app',
      back: `${request.base}/apps`,
      fields: [appFields(entered, errors), kindChoice(confidential)],
    }),
  })

async function register(request: SettingsRequest, form: FormFields): Promise<PlainResponse> {
  const { ctx, base } = request
  const entered = enteredApp(form)
  const confidential = form.text('kind') !== 'public'
  try {
    const { app, secret } = await createApp(ctx, { ...appDetails(entered), confidential })
    return settingsPage(request, 'apps', {
      title: 'Your new app',
      main: html`<dl class="facts"><dt>Name</dt><dd>${named(app.name)}</dd><dt>Client ID</dt><dd><code>${app.id}</code></dd></dl>
${
  secret === undefined
    ? html`<p>It has no secret and authenticates with PKCE.</p>`
    : shownOnce('The client secret', secret)
}
<p><a href="${base}/apps/${app.id}">View the app</a></p>`,
    })
  } catch (error) {
    return newPage(request, entered, confidential, fieldErrorsOf(error))
  }
}
