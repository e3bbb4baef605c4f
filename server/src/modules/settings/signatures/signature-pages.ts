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
  findConnection,
  listConnections,
  signingSecret,
  updateConnection,
} from '../../senders/public.ts'
import { type FormState, rejected, untouched } from '../form-state.ts'
import { settingsForm, settingsPage } from '../settings-page.ts'
import { type SettingsRequest, settingsRoute } from '../settings-route.ts'
import {
  type EnteredProvider,
  type ProviderName,
  enteredConnection,
  enteredProvider,
  providerFields,
  providerNames,
  secretOf,
  settingsOf,
} from './signature-form.ts'

/** Lists the providers with whom documents are signed, connects them, and replaces their credentials. */
export const signatureRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/signatures', { GET: listPage }),
  ...(['documenso', 'docusign'] as const).map((provider) =>
    settingsRoute(
      runtime,
      `/signatures/${provider}`,
      {
        GET: async (request) => newPage(request, provider, blank),
        POST: (request, form) => connect(request, provider, form),
      },
      'page',
    ),
  ),
  settingsRoute(
    runtime,
    '/signatures/:signature',
    {
      async GET(request) {
        const connection = await ownConnection(request)
        return changePage(request, connection, enteredConnection(connection))
      },
      POST: change,
    },
    'page',
  ),
]

const isSignature = (provider: string): provider is ProviderName => Object.hasOwn(providerNames, provider)

async function listPage(request: SettingsRequest): Promise<PlainResponse> {
  const { ctx, base, runtime } = request
  const connections = await listConnections(ctx.directory, ctx.workspaceId)
  const rows = connections.flatMap((connection) => {
    const { id, provider, name, account, simulated } = connection
    return isSignature(provider)
      ? [
          [
            named(name),
            providerNames[provider],
            simulated ? html`<span class="muted">simulated: binds no one</span>` : named(account),
            simulated ? '' : html`<code>${runtime.origin()}/callbacks/${provider}/${id}</code>`,
            statusOf(connection),
            simulated ? '' : html`<a href="${base}/signatures/${id}">Change</a>`,
          ],
        ]
      : []
  })
  return settingsPage(request, 'signatures', {
    title: 'Signatures',
    main: html`<p>People sign documents with these providers. A document without a <code>connection_id</code> goes to the oldest that is not
simulated. Give the callback address to the provider as a webhook, so that signatures show at once.</p>
<p class="buttons">${(['documenso', 'docusign'] as const).map(
      (provider) =>
        html`<a class="button" href="${base}/signatures/${provider}">Connect ${providerNames[provider]}</a> `,
    )}</p>
${table(
  'Signature providers, newest first',
  ['Name', 'Provider', 'Account', 'Callback address', 'Status', 'Change'],
  rows,
  'No providers yet. Until there is one, documents go to a simulated Documenso, where no signature binds anyone.',
)}`,
  })
}

const statusOf = ({ credentials_rejected_at: since, previous_secret_until: until }: ConnectionRow): Part => {
  if (since !== null)
    return html`<span class="badge bad">credentials rejected</span> <span class="hint">Since ${moment(since)}. Replace them.</span>`
  const hint =
    until !== null &&
    html` <span class="hint">Callbacks with the old credentials: until ${moment(until)}</span>`
  return html`<span class="badge good">connected</span>${hint}`
}

const blank: EnteredProvider = { name: '', account: '', url: '', demo: false }

const newPage = (
  request: SettingsRequest,
  provider: ProviderName,
  entered: EnteredProvider,
  { status, errors, message }: FormState = untouched,
): PlainResponse =>
  settingsPage(request, 'signatures', {
    title: `Connect ${providerNames[provider]}`,
    status,
    main: html`${message}
${settingsForm(request, {
  fields: providerFields(provider, entered, errors, { isNew: true }),
  label: 'Connect',
  back: `${request.base}/signatures`,
})}`,
  })

const validateDraft = bodyValidator(ConnectionDraft)
const validatePatch = bodyValidator(ConnectionPatch)

async function connect(
  request: SettingsRequest,
  provider: ProviderName,
  form: FormFields,
): Promise<PlainResponse> {
  const entered = enteredProvider(form)
  try {
    const { name, account } = entered
    const draft = { provider, name, account, secret: secretOf(provider, form) ?? signingSecret(provider, {}) }
    validateDraft(draft)
    await createConnection(request.ctx, { ...draft, settings: settingsOf(entered) })
  } catch (error) {
    return newPage(request, provider, entered, rejected(error))
  }
  return seeOther(`${request.base}/signatures`)
}

const changePage = (
  request: SettingsRequest,
  { name, provider }: OwnConnection,
  entered: EnteredProvider,
  { status, errors, message }: FormState = untouched,
): PlainResponse =>
  settingsPage(request, 'signatures', {
    title: 'Change provider',
    heading: html`Change ${named(name)}`,
    status,
    main: html`${message}
<p>After new credentials, callbacks that carry the old ones are accepted for 24 hours.</p>
${settingsForm(request, {
  fields: providerFields(provider, entered, errors, { isNew: false }),
  label: 'Save',
  back: `${request.base}/signatures`,
})}`,
  })

async function change(request: SettingsRequest, form: FormFields): Promise<PlainResponse> {
  const connection = await ownConnection(request)
  const entered = enteredProvider(form)
  try {
    const secret = secretOf(connection.provider, form)
    const patch = { name: entered.name, ...(secret === undefined ? {} : { secret }) }
    validatePatch(patch)
    await updateConnection(request.ctx, connection.id, { ...patch, settings: settingsOf(entered) })
  } catch (error) {
    return changePage(request, connection, entered, rejected(error))
  }
  return seeOther(`${request.base}/signatures`)
}

type OwnConnection = ConnectionRow & { provider: ProviderName }

/** The connection of the path: 404 for one that is simulated, or with no such provider. */
async function ownConnection({ ctx, id }: SettingsRequest): Promise<OwnConnection> {
  const connection = await findConnection(ctx.directory, ctx.workspaceId, id('signature'))
  if (connection === undefined || connection.simulated || !isSignature(connection.provider)) throw NotFound()
  return { ...connection, provider: connection.provider }
}
