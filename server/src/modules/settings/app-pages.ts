import type { House } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type AppRow,
  deleteApp,
  findAppOf,
  listAppSecrets,
  listWorkspacesOf,
  rotateAppSecret,
  setAppEnabled,
  updateApp,
} from '../oauth/public.ts'
import { type Part, html, moment, named, seeOther, shownOnce } from '../pages/public.ts'
import { type Faults, type Fields, faultsOf, signedInAnew } from '../signin/public.ts'
import { type EnteredApp, appDetails, appFields, enteredApp } from './app-form.ts'
import { appState } from './app-list-pages.ts'
import { button, confirmation, deskForm, deskPage } from './desk-page.ts'
import { type Desk, buttonRoute, deskRoute } from './desk.ts'
import { scopeList } from './scope-parts.ts'

/** One app: what it is, and all that can become of it. */
export const appRoutes = (house: House): PlainRoute[] => [
  deskRoute(house, '/apps/:app', { GET: appPage }),
  // Whoever decides where codes go can have them.
  deskRoute(
    house,
    '/apps/:app/edit',
    { GET: async (desk) => editPage(desk, await appOf(desk)), POST: update },
    signedInAnew,
  ),
  deskRoute(house, '/apps/:app/secret', { GET: askRotate, POST: rotate }, signedInAnew),
  deskRoute(house, '/apps/:app/delete', { GET: askDelete, POST: remove }),
  buttonRoute(house, '/apps/:app/disable', pathOf, ({ ctx, id }) => setAppEnabled(ctx, id('app'), false)),
  buttonRoute(house, '/apps/:app/enable', pathOf, ({ ctx, id }) => setAppEnabled(ctx, id('app'), true)),
]

const pathOf = ({ base, id }: Desk) => `${base}/apps/${id('app')}`
const appOf = async ({ ctx, place, id }: Desk): Promise<AppRow> =>
  found(await findAppOf(ctx.directory, place.workspace.id, id('app')))

async function appPage(desk: Desk): Promise<PlainAnswer> {
  const app = await appOf(desk)
  const secrets = await listAppSecrets(desk.ctx.directory, app.id, desk.ctx.clock.now())
  const path = pathOf(desk)
  return deskPage(desk, 'apps', {
    title: `App: ${app.name}`,
    heading: html`App: ${named(app.name)}`,
    main: html`<dl class="facts">
<dt>State</dt><dd>${appState(app)}${app.disabled_at === null ? '' : html` since ${moment(app.disabled_at)}`}</dd>
<dt>Client id</dt><dd><code>${app.id}</code></dd>
<dt>Kind</dt><dd>${app.confidential ? 'confidential: it has a secret' : 'public: it has no secret'}</dd>
${app.confidential ? html`<dt>Client secret</dt><dd>${secrets.map(secretLine)}</dd>` : ''}
<dt>Redirect addresses</dt><dd>${app.redirect_uris.map((uri) => html`<div><code>${uri}</code></div>`)}</dd>
<dt>Registered</dt><dd>${moment(app.created_at)}</dd>
</dl>
<h2>It may ask for</h2>
${scopeList(app.scopes)}
<div class="buttons"><a class="button" href="${path}/edit">Change</a>
${app.confidential ? html`<a class="button" href="${path}/secret">Replace the secret</a>` : ''}
${app.disabled_at === null ? button(desk, `${path}/disable`, 'Disable') : button(desk, `${path}/enable`, 'Enable')}
<a class="button danger" href="${path}/delete">Delete</a></div>
<p class="muted">While an app is disabled nothing of it works, from its next request on. What workspaces have allowed it stays.</p>`,
  })
}

const secretLine = ({
  prefix,
  created_at,
  expires_at,
}: Awaited<ReturnType<typeof listAppSecrets>>[number]): Part =>
  html`<div><code>${prefix}…</code> ${
    expires_at === null
      ? html`since ${moment(created_at)}`
      : html`replaced; works until ${moment(expires_at)}`
  }</div>`

function editPage(desk: Desk, app: AppRow, entered = asEntered(app), faults: Faults = {}): PlainAnswer {
  return deskPage(desk, 'apps', {
    title: 'Change an app',
    status: Object.keys(faults).length === 0 ? 200 : 400,
    main: html`<p>What you take away here, the app cannot do from its next request on, wherever it has been allowed. What you add,
each workspace must allow first.</p>
${deskForm(desk, { label: 'Save', back: pathOf(desk), fields: appFields(entered, faults) })}`,
  })
}

const asEntered = ({ name, redirect_uris, scopes }: AppRow): EnteredApp => ({
  name,
  redirectUris: redirect_uris.join('\n'),
  scopes,
})

async function update(desk: Desk, form: Fields): Promise<PlainAnswer> {
  const app = await appOf(desk)
  const entered = enteredApp(form)
  try {
    await updateApp(desk.ctx, app.id, appDetails(entered))
    return seeOther(pathOf(desk))
  } catch (error) {
    return editPage(desk, app, entered, faultsOf(error))
  }
}

async function askRotate(desk: Desk): Promise<PlainAnswer> {
  const { name, confidential } = await appOf(desk)
  if (!confidential) return seeOther(pathOf(desk))
  return confirmation(desk, 'apps', {
    title: 'Replace the client secret',
    text: html`<p>${named(name)} gets a new secret. The present one works for another 24 hours; one before that no more.</p>`,
    label: 'Replace the secret',
    kind: 'primary',
    back: pathOf(desk),
  })
}

async function rotate(desk: Desk): Promise<PlainAnswer> {
  const { app, secret, until } = await rotateAppSecret(desk.ctx, desk.id('app'))
  return deskPage(desk, 'apps', {
    title: 'The new client secret',
    main: html`${shownOnce('The client secret', secret)}
<p>The one before it works until ${moment(until.toISOString())}.</p>
<p><a href="${pathOf(desk)}">Back to ${named(app.name)}</a></p>`,
  })
}

async function askDelete(desk: Desk): Promise<PlainAnswer> {
  const app = await appOf(desk)
  const { length } = await listWorkspacesOf(desk.ctx.directory, app.id)
  return confirmation(desk, 'apps', {
    title: 'Delete an app',
    text: html`<p>${named(app.name)} stops working from its next request on, for good. With it go its secrets, ${
      length === 1 ? 'what one workspace has' : `what ${length} workspaces have`
    } allowed it, all its tokens, and the webhooks that it made. The log of what it was allowed stays.</p>`,
    label: 'Delete the app',
    back: pathOf(desk),
  })
}

async function remove({ ctx, base, id }: Desk): Promise<PlainAnswer> {
  await deleteApp(ctx, id('app'))
  return seeOther(`${base}/apps`)
}
