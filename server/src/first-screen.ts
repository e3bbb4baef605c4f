import type { AddressRange } from '#kernel/egress/egress.ts'

export interface Place {
  base_url: string | null
  auth_url: string | null
  docs_url: string | null
  sign_in_url: string | null
  /** The URL of the mail catcher, if there is one. It cannot be guessed. */
  mail_url: string | null
  workspaces: {
    id: string
    name: string
    /** At the first start, and so is the owner, with their password. */
    api_key?: string
    owner?: { email: string; password: string }
  }[]
}

interface Surroundings {
  /** Of the PostgreSQL that Gable brings along. */
  dataPlace: string | undefined
  /** Where webhooks may go. */
  reach: AddressRange
  /** What becomes of mails, where they do not go out. */
  mail: string | undefined
}

/** What a program reads: exactly one line of JSON. */
export const readyLine = (place: Place) => `${JSON.stringify({ ready: true, ...place })}\n`

/** Where webhooks may go, where that is not what a server on the Internet allows. */
const reaches: Record<AddressRange, string | undefined> = {
  none: undefined,
  loopback: 'may go to this machine (WEBHOOK_ALLOW_PRIVATE)',
  all: 'may go to any address, private ones too (WEBHOOK_ALLOW_PRIVATE)',
}

/** What a person reads. */
export function firstScreen(
  { base_url, docs_url, sign_in_url, workspaces }: Place,
  { dataPlace, reach, mail }: Surroundings,
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
      ? `Make an API key:\n  npm run -s gable -- key create --workspace ${first?.id ?? 'ID'} --name mine --scopes all`
      : `Try:\n  curl -H 'Authorization: token ${key}' '${base_url}/contacts?limit=2'`
  return `\nGable is ready.\n\n${lines.join('\n')}\n\n${next}\n\nCtrl-C stops it.\n`
}
