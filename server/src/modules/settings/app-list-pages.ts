import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { type AppRow, createApp, listApps } from '../oauth/public.ts'
import { type Part, day, html, named, shownOnce, table } from '../pages/public.ts'
import { type Faults, type Fields, faultsOf, signedInAnew } from '../signin/public.ts'
import { type EnteredApp, appDetails, appFields, enteredApp, kindChoice } from './app-form.ts'
import { deskForm, deskPage } from './desk-page.ts'
import { type Desk, deskRoute } from './desk.ts'
import { scopeNames } from './scope-parts.ts'

/** The apps that a workspace's developers have registered, and how to register one. */
export const appListRoutes = (house: House): PlainRoute[] => [
  deskRoute(house, '/apps', { GET: listPage }),
  deskRoute(
    house,
    '/apps/new',
    { GET: async (desk) => newPage(desk, blank, true), POST: register },
    signedInAnew,
  ),
]

async function listPage(desk: Desk): Promise<PlainAnswer> {
  const { ctx, place, base } = desk
  const apps = await listApps(ctx.directory, place.workspace.id)
  const rows = apps.map((app) => [
    html`<a href="${base}/apps/${app.id}">${named(app.name)}</a>`,
    html`<code>${app.id}</code>`,
    scopeNames(app.scopes),
    day(app.created_at),
    appState(app),
  ])
  return deskPage(desk, 'apps', {
    title: 'Apps',
    main: html`<p>An app acts for workspaces whose owners or admins allow it, by OAuth 2.0: this one's and others'.</p>
<p class="buttons"><a class="button primary" href="${base}/apps/new">Register an app</a></p>
${table(
  'Apps, newest first',
  ['Name', 'Client id', 'May ask for', 'Registered', 'State'],
  rows,
  'There are no apps yet. Register one when others are to use what you build; for this workspace alone, an API key is simpler.',
)}`,
  })
}

export const appState = ({ disabled_at }: AppRow): Part =>
  disabled_at === null
    ? html`<span class="badge good">enabled</span>`
    : html`<span class="badge bad">disabled</span>`

const blank: EnteredApp = { name: '', redirectUris: '', scopes: [] }

const newPage = (desk: Desk, entered: EnteredApp, confidential: boolean, faults: Faults = {}): PlainAnswer =>
  deskPage(desk, 'apps', {
    title: 'Register an app',
    status: Object.keys(faults).length === 0 ? 200 : 400,
    main: deskForm(desk, {
      label: 'Register the app',
      back: `${desk.base}/apps`,
      fields: [appFields(entered, faults), kindChoice(confidential)],
    }),
  })

async function register(desk: Desk, form: Fields): Promise<PlainAnswer> {
  const { ctx, base } = desk
  const entered = enteredApp(form)
  const confidential = form.text('kind') !== 'public'
  try {
    const { app, secret } = await createApp(ctx, { ...appDetails(entered), confidential })
    return deskPage(desk, 'apps', {
      title: 'Your new app',
      main: html`<dl class="facts"><dt>Name</dt><dd>${named(app.name)}</dd><dt>Client id</dt><dd><code>${app.id}</code></dd></dl>
${
  secret === undefined
    ? html`<p>It has no secret: it shows who it is by PKCE alone.</p>`
    : shownOnce('The client secret', secret)
}
<p><a href="${base}/apps/${app.id}">Go on to the app</a></p>`,
    })
  } catch (error) {
    return newPage(desk, entered, confidential, faultsOf(error))
  }
}
