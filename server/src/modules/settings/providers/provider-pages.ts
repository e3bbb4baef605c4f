import type { Runtime } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { type FormFields, type Part, html, moment, named, seeOther, table } from '../../pages/public.ts'
import {
  ConnectionDraft,
  ConnectionPatch,
  type ConnectionRow,
  createConnection,
  disconnectConnection,
  findConnection,
  listConnections,
  secretOfParts,
  updateConnection,
} from '../../senders/public.ts'
import { type FormState, rejected, untouched } from '../form-state.ts'
import { button, confirmation, settingsForm, settingsPage } from '../settings-page.ts'
import { type SettingsRequest, buttonRoute, settingsRoute } from '../settings-route.ts'
import {
  type EnteredProvider,
  type ProviderName,
  enteredConnection,
  enteredProvider,
  providerFields,
  providerNames,
  secretOf,
  settingsOf,
} from './provider-form.ts'
import type { ProviderKind } from './provider-kinds.ts'

/** Lists the providers of a kind, connects and tests them, replaces their credentials, and disconnects them. */
export const providerRoutes = (runtime: Runtime, kind: ProviderKind): PlainRoute[] => {
  const { section, providers, check } = kind
  const one = `/${section}/:${kind.one}`
  return [
    settingsRoute(runtime, `/${section}`, { GET: (request) => listPage(request, kind) }),
    ...providers.map((provider) =>
      settingsRoute(
        runtime,
        `/${section}/${provider}`,
        {
          GET: async (request) => newPage(request, kind, provider, blank),
          POST: (request, form) => connect(request, kind, provider, form),
        },
        'page',
      ),
    ),
    settingsRoute(
      runtime,
      one,
      {
        async GET(request) {
          const connection = await ownConnection(request, kind)
          return changePage(request, kind, connection, enteredConnection(connection))
        },
        POST: (request, form) => change(request, kind, form),
      },
      'page',
    ),
    ...(check === undefined
      ? []
      : [
          buttonRoute(
            runtime,
            `${one}/test`,
            ({ base }) => `${base}/${section}`,
            async (request) => check(request.ctx, (await ownConnection(request, kind)).id),
            'form',
          ),
        ]),
    settingsRoute(
      runtime,
      `${one}/disconnect`,
      {
        GET: (request) => askDisconnect(request, kind),
        POST: (request) => disconnect(request, kind),
      },
      'page',
    ),
  ]
}

async function listPage(request: SettingsRequest, kind: ProviderKind): Promise<PlainResponse> {
  const { ctx, base, runtime } = request
  const { section, title, intro, caption, none, simulated: unreal, providers } = kind
  const connections = await listConnections(ctx.directory, ctx.workspaceId)
  const rows = connections.flatMap((connection) => {
    const { id, provider, name, account, simulated } = connection
    return isOf(kind, provider)
      ? [
          [
            named(name),
            providerNames[provider],
            simulated ? html`<span class="muted">simulated: ${unreal}</span>` : named(account),
            simulated ? '' : html`<code>${runtime.origin()}/callbacks/${provider}/${id}</code>`,
            simulated ? '' : statusOf(connection),
            simulated ? '' : actionsOn(request, kind, connection),
          ],
        ]
      : []
  })
  return settingsPage(request, section, {
    title,
    main: html`<p>${intro}</p>
<p class="buttons">${providers.map(
      (provider) =>
        html`<a class="button" href="${base}/${section}/${provider}">Connect ${providerNames[provider]}</a> `,
    )}</p>
${table(caption, ['Name', 'Provider', 'Account', 'Callback address', 'Status', 'Change'], rows, none)}`,
  })
}

const actionsOn = (
  request: SettingsRequest,
  { section, check }: ProviderKind,
  { id, disconnected_at }: ConnectionRow,
): Part => {
  const path = `${request.base}/${section}/${id}`
  const link = html`<a href="${path}">Change</a>`
  if (disconnected_at !== null) return link
  return html`${link} <a href="${path}/disconnect">Disconnect</a> ${check && button(request, `${path}/test`, 'Test')}`
}

const statusOf = (connection: ConnectionRow): Part => {
  const { credentials_rejected_at: since, previous_secret_until: until, tested_at: tested } = connection
  const { disconnected_at: gone, callback_rejected_at: lastRejected } = connection
  if (gone !== null)
    return html`<span class="badge bad">disconnected</span> <span class="hint">Since ${moment(gone)}. New credentials connect it again.</span>`
  if (since !== null)
    return html`<span class="badge bad">credentials rejected</span> <span class="hint">Since ${moment(since)}. Replace them.</span>`
  return html`<span class="badge good">connected</span>${
    until !== null &&
    html` <span class="hint">Callbacks with the old credentials: until ${moment(until)}</span>`
  }${tested !== null && html` <span class="hint">Tested ${moment(tested)}</span>`}${
    lastRejected !== null &&
    html` <span class="badge bad">callback rejected</span> <span class="hint">${moment(lastRejected)}: it was not signed with these credentials.</span>`
  }`
}

const blank: EnteredProvider = { name: '', account: '', url: '', demo: false }

const newPage = (
  request: SettingsRequest,
  { section }: ProviderKind,
  provider: ProviderName,
  entered: EnteredProvider,
  { status, errors, message }: FormState = untouched,
): PlainResponse =>
  settingsPage(request, section, {
    title: `Connect ${providerNames[provider]}`,
    status,
    main: html`${message}
${settingsForm(request, {
  fields: providerFields(provider, entered, errors, { isNew: true }),
  label: 'Connect',
  back: `${request.base}/${section}`,
})}`,
  })

const validateDraft = bodyValidator(ConnectionDraft)
const validatePatch = bodyValidator(ConnectionPatch)

async function connect(
  request: SettingsRequest,
  kind: ProviderKind,
  provider: ProviderName,
  form: FormFields,
): Promise<PlainResponse> {
  const entered = enteredProvider(form)
  try {
    const { name, account } = entered
    const draft = { provider, name, account, secret: secretOf(provider, form) ?? secretOfParts(provider, {}) }
    validateDraft(draft)
    await createConnection(request.ctx, { ...draft, ...settingsOf(provider, entered) })
  } catch (error) {
    return newPage(request, kind, provider, entered, rejected(error))
  }
  return seeOther(`${request.base}/${kind.section}`)
}

const changePage = (
  request: SettingsRequest,
  { section, noun }: ProviderKind,
  { name, provider }: OwnConnection,
  entered: EnteredProvider,
  { status, errors, message }: FormState = untouched,
): PlainResponse =>
  settingsPage(request, section, {
    title: `Change ${noun}`,
    heading: html`Change ${named(name)}`,
    status,
    main: html`${message}
<p>After you replace the credentials, Gable accepts callbacks with the old ones for 24 hours.</p>
${settingsForm(request, {
  fields: providerFields(provider, entered, errors, { isNew: false }),
  label: 'Save',
  back: `${request.base}/${section}`,
})}`,
  })

async function change(
  request: SettingsRequest,
  kind: ProviderKind,
  form: FormFields,
): Promise<PlainResponse> {
  const connection = await ownConnection(request, kind)
  const entered = enteredProvider(form)
  try {
    const secret = secretOf(connection.provider, form)
    const patch = { name: entered.name, ...(secret === undefined ? {} : { secret }) }
    validatePatch(patch)
    await updateConnection(request.ctx, connection.id, {
      ...patch,
      ...settingsOf(connection.provider, entered),
    })
  } catch (error) {
    return changePage(request, kind, connection, entered, rejected(error))
  }
  return seeOther(`${request.base}/${kind.section}`)
}

async function askDisconnect(
  request: SettingsRequest,
  kind: ProviderKind,
  { status, message }: FormState = untouched,
): Promise<PlainResponse> {
  const { name, provider } = await ownConnection(request, kind)
  return confirmation(request, kind.section, {
    title: `Disconnect ${kind.noun}`,
    status,
    text: html`${message}<p>${named(name)}: Gable deletes its credentials, and what ${providerNames[provider]} reports is rejected. Existing data stays. New credentials connect it again.</p>`,
    label: 'Disconnect',
    back: `${request.base}/${kind.section}`,
  })
}

async function disconnect(request: SettingsRequest, kind: ProviderKind): Promise<PlainResponse> {
  const { id } = await ownConnection(request, kind)
  try {
    await disconnectConnection(request.ctx, id)
  } catch (error) {
    return askDisconnect(request, kind, rejected(error))
  }
  return seeOther(`${request.base}/${kind.section}`)
}

type OwnConnection = ConnectionRow & { provider: ProviderName }

const isOf = ({ providers }: ProviderKind, provider: string): provider is ProviderName =>
  providers.some((one) => one === provider)

/** Returns the connection that the path names. Throws `NotFound` if it is simulated or of another kind. */
async function ownConnection({ ctx, id }: SettingsRequest, kind: ProviderKind): Promise<OwnConnection> {
  const connection = await findConnection(ctx.directory, ctx.workspaceId, id(kind.one))
  if (connection === undefined || connection.simulated || !isOf(kind, connection.provider)) throw NotFound()
  return { ...connection, provider: connection.provider }
}
