import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { type Part, html, moment, named, table } from '../pages/public.ts'
import {
  type ConnectionRow,
  type MessageTemplate,
  type SenderRow,
  listConnections,
  listSenders,
  listTemplates,
  missingOf,
  statesInWords,
  updateSender,
} from '../senders/public.ts'
import { button, settingsPage } from './settings-page.ts'
import { type SettingsRequest, buttonRoute, settingsRoute } from './settings-route.ts'

/** Lists senders, their connections, and message templates. */
export const senderRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/senders', { GET: listPage }),
  buttonRoute(
    runtime,
    '/senders/:sender/default',
    ({ base }) => `${base}/senders`,
    ({ ctx, id }) => updateSender(ctx, id('sender'), { is_default: true }),
  ),
]

async function listPage(request: SettingsRequest): Promise<PlainResponse> {
  const { ctx } = request
  const [senders, connections, templates] = await Promise.all([
    listSenders(ctx.db),
    listConnections(ctx.directory, ctx.workspaceId),
    listTemplates(ctx.db),
  ])
  const byId = new Map(connections.map((connection) => [connection.id, connection]))
  return settingsPage(request, 'senders', {
    title: 'Senders',
    main: html`<p>Messages come from these numbers and addresses. Add them with <code>gable senders create</code> or <code>POST /senders</code>.</p>
${table(
  'Senders',
  ['Address', 'Name', 'Kind', 'Status', 'Connection', 'Default'],
  senders.map((sender) => senderLine(request, sender, byId.get(sender.connection_id))),
  'No senders yet. Without one, no messages are sent.',
)}
<h2>Connections</h2>
${table(
  'Connections, newest first',
  ['Name', 'Provider', 'Account', 'Status'],
  connections.map((connection) => [
    named(connection.name),
    connection.provider,
    accountOf(connection),
    statusOfConnection(connection),
  ]),
  'No connections yet.',
)}
<h2>Message templates</h2>
${table(
  'Message templates',
  ['Name', 'Language', 'Category', 'Status', 'Text'],
  templates.map(templateLine),
  'No message templates yet. WhatsApp needs one to begin a conversation.',
)}`,
  })
}

const senderLine = (
  request: SettingsRequest,
  sender: SenderRow,
  connection: ConnectionRow | undefined,
): Part[] => [
  named(sender.address),
  named(sender.name ?? ''),
  kinds[sender.kind],
  statusOfSender(sender),
  named(connection?.name ?? ''),
  sender.is_default
    ? 'Default'
    : button(request, `${request.base}/senders/${sender.id}/default`, 'Make default'),
]

const kinds: Readonly<Record<SenderRow['kind'], string>> = {
  '10dlc': 'Text (10DLC)',
  tollfree: 'Text (toll-free)',
  shortcode: 'Text (short code)',
  whatsapp: 'WhatsApp',
  email: 'Email',
}

/** Whether the sender may send; if not, what it lacks and its states. */
function statusOfSender(sender: SenderRow): Part {
  const missing = missingOf(sender)
  return missing.length === 0
    ? html`<span class="badge good">ready</span>`
    : html`<span class="badge bad">not ready</span> <span class="hint">${missing.join('. ')}: ${statesInWords(sender)}</span>`
}

function accountOf({ account, provider, simulated, settings }: ConnectionRow): Part {
  if (simulated) return html`<span class="muted">simulated: reaches no one</span>`
  if (provider !== 'email') return named(account)
  const { smtp, imap } = settings
  if (typeof smtp !== 'string')
    return html`${named(account)} <span class="badge bad">not ready</span> <span class="hint">The operator must set its mail server: <code>gable connections configure</code></span>`
  const servers = [smtp, imap].filter((one) => typeof one === 'string').join(', ')
  return html`${named(account)} <span class="hint">${servers}</span>`
}

/** Why messages through this connection are waiting, or its emails count as unverified. */
function statusOfConnection({
  credentials_rejected_at: since,
  mailbox_error: error,
  authentication_missing_at: missing,
  stopped,
}: ConnectionRow): Part {
  if (since !== null)
    return html`<span class="badge bad">credentials rejected</span> <span class="hint">Messages wait since ${moment(since)}. Replace them with <code>gable connections update</code>.</span>`
  if (error !== null)
    return html`<span class="badge bad">mailbox not read</span> <span class="hint">Nothing is sent until Gable can read it: ${named(error)}</span>`
  if (stopped !== null)
    return html`<span class="badge bad">nothing is sent</span> <span class="hint">Since ${moment(stopped.since)}: ${named(stopped.message)}</span>`
  if (missing !== null)
    return html`<span class="badge bad">senders not verified</span> <span class="hint">The email of ${moment(missing)} carries no <code>Authentication-Results</code> of the mail server. The operator can set its name: <code>authserv_id=</code></span>`
  return ''
}

const templateLine = ({ name, language, category, status, body }: MessageTemplate): Part[] => [
  name,
  language,
  category.toLowerCase(),
  html`<span class="badge ${status === 'APPROVED' ? 'good' : 'bad'}">${status.toLowerCase()}</span>`,
  named(body),
]
