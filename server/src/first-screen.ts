import type { AddressRange } from '#kernel/egress/rules.ts'

export interface Place {
  base_url: string | null
  auth_url: string | null
  docs_url: string | null
  sign_in_url: string | null
  /** The URL of the mail catcher, if there is one. The URL cannot be guessed. */
  mail_url: string | null
  /** The URL of the simulated carrier's handsets, if the carrier started with the server. The URL cannot be guessed. */
  phone_url: string | null
  /** Since when nothing leaves, because the database was restored. */
  held_since?: string
  workspaces: {
    id: string
    name: string
    /** Set at the first start only, like the owner with their password. */
    api_key?: string
    owner?: { email: string; password: string }
  }[]
}

interface Surroundings {
  /** Location of embedded PostgreSQL's files. */
  dataPlace: string | undefined
  /** The non-public addresses that webhooks may go to. */
  reach: AddressRange
  /** What happens to mails that are not sent. */
  mail: string | undefined
  /** A person who has just sent a text, at the first start. */
  newcomer: { name: string; text: { from: string }; reply: string }
}

/** The output for programs: exactly one line of JSON. */
export const readyLine = (place: Place) => `${JSON.stringify({ ready: true, ...place })}\n`

/** Where webhooks may go, if that differs from what a server on the Internet allows. */
const reaches: Record<AddressRange, string | undefined> = {
  none: undefined,
  loopback: 'may go to this machine (WEBHOOK_ALLOW_PRIVATE)',
  all: 'may go to any address, private ones too (WEBHOOK_ALLOW_PRIVATE)',
}

/** The output for people. */
export function firstScreen(
  { base_url, docs_url, sign_in_url, phone_url, held_since, workspaces }: Place,
  { dataPlace, reach, mail, newcomer }: Surroundings,
): string {
  const key = workspaces.find((workspace) => workspace.api_key !== undefined)?.api_key
  const owner = workspaces.find((workspace) => workspace.owner !== undefined)?.owner
  const rows = [
    ['API', base_url],
    ['Reference', docs_url],
    ['Sign in', sign_in_url],
    ['Data', dataPlace],
    ['Webhooks', reaches[reach]],
    ['Mail', mail],
    ['Handsets', phone_url],
    [
      'Held',
      held_since && `nothing leaves since the restore of ${held_since}; see: npm run -s gable -- restored`,
    ],
    ...workspaces.map(({ id, name }) => ['Workspace', `${name} (${id})`]),
    ['Sign in as', owner?.email],
    ['Password', owner === undefined ? undefined : `${owner.password}  (shown only now)`],
    ['API key', key === undefined ? undefined : `${key}  (shown only now)`],
  ]
  const lines = rows
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `  ${name?.padEnd(10)} ${value}`)
  const first = workspaces[0]
  const next =
    key === undefined
      ? `Make an API key:\n  npm run -s gable -- api-keys create --workspace ${first?.id ?? 'ID'} --name mine --scopes all`
      : `Try:\n  curl -H 'Authorization: token ${key}' '${base_url}/contacts?limit=2'${textTo(newcomer, { key, base_url, phone_url })}`
  return `\nGable is ready.\n\n${lines.join('\n')}\n\n${next}\n\nCtrl-C stops it.\n`
}

/** A sample reply. A person who has just written may be texted at any hour. */
function textTo(
  { name, text: { from: to }, reply }: Surroundings['newcomer'],
  { key, base_url, phone_url }: Pick<Place, 'base_url' | 'phone_url'> & { key: string },
): string {
  if (phone_url === null) return ''
  const draft = JSON.stringify({ channel: 'sms', to, body: reply, purpose: 'reply' })
  return `
${name} has just sent you a text. Open the handset, then reply:
  ${phone_url}/${to}
  curl -H 'Authorization: token ${key}' -H 'Content-Type: application/json' ${base_url}/messages -d '${draft}'`
}
