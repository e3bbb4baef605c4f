import type { LookupFunction } from 'node:net'
import type { ImapFlow, ImapFlowOptions, SearchObject } from 'imapflow'
import { isLoopback } from '#kernel/egress/address.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import type { EmailAccount, MailboxEntry, ProviderAccount } from '../../modules/messages/ports.ts'
import { mailLimits } from './mail-limits.ts'
import { parseInThread } from './parse-in-thread.ts'

type ImapServer = NonNullable<EmailAccount['imap']>

/** Timeouts in milliseconds: for connecting, and for each reply. */
const usualPatience = { connectMs: 10_000, replyMs: 20_000 }

const dayMs = 24 * 3_600_000

/**
 * Reads the mails after a position, which consists of the mailbox's UIDVALIDITY and the last UID (RFC 9051, 2.3.1.1).
 * If the position is missing or no longer valid, reads mails that arrived since `since`. Opens the mailbox read-only,
 * so flags don't change. Reads mails one by one, each up to `mailLimits.bytes`.
 */
export async function* readImapMailbox(
  egress: Egress,
  server: ImapServer,
  { name: user, secrets: [pass] }: Pick<ProviderAccount, 'name' | 'secrets'>,
  { position, since }: { position: string | null; since: Date },
  patience = usualPatience,
): AsyncGenerator<MailboxEntry, void> {
  // Loaded on first use: its many files would delay every start.
  const { ImapFlow: Client } = await import('imapflow')
  let client: ImapFlow | undefined
  try {
    const lookup = await egress.lookup(server)
    client = new Client(optionsOf(server, { user, pass }, lookup, patience))
    // A connection error also rejects the pending commands.
    client.on('error', () => {})
    await client.connect()
    const { uidValidity, uidNext } = await client.mailboxOpen(server.mailbox, { readOnly: true })
    const [validity, last] = readPosition(position)
    const isSame = validity === String(uidValidity)
    const positionAt = (uid: number) => `${uidValidity}:${uid}`
    const uids = isSame ? await uidsAfter(client, last) : await uidsSince(client, since)
    for (const uid of uids) {
      const mail = await fetchMail(client, uid)
      yield {
        mail: mail && (await parseInThread(mail.raw, mail.arrivedAt, server.authservIds)),
        position: positionAt(uid),
      }
    }
    if (!isSame) yield { mail: null, position: positionAt(Math.max(uidNext - 1, uids.at(-1) ?? 0)) }
    await client.logout()
  } catch (error) {
    throw Object.assign(new Error(inWords(error, server)), {
      status: (error as ImapFailure | undefined)?.authenticationFailed === true ? 401 : null,
    })
  } finally {
    client?.close()
  }
}

const optionsOf = (
  { host, port, secure }: ImapServer,
  auth: ImapFlowOptions['auth'],
  lookup: LookupFunction,
  { connectMs, replyMs }: typeof usualPatience,
): ImapFlowOptions => ({
  host,
  port,
  secure,
  auth,
  // Send the password only over TLS, except on this machine.
  ...(!secure && !isLoopback(host) && { doSTARTTLS: true }),
  // These are also the options of the connection itself, with or without TLS.
  tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, lookup },
  connectionTimeout: connectMs,
  greetingTimeout: connectMs,
  socketTimeout: replyMs,
  maxLiteralSize: mailLimits.bytes + 1024,
  maxResponseSize: mailLimits.bytes + 1024 * 1024,
  disableAutoIdle: true,
  logger: false,
})

function readPosition(position: string | null): [validity: string, last: number] {
  const [, validity = '', last = '0'] = /^(\d+):(\d+)$/.exec(position ?? '') ?? []
  return [validity, Number(last)]
}

/** Null if the mail has been deleted since. */
async function fetchMail(
  client: ImapFlow,
  uid: number,
): Promise<{ raw: Buffer; arrivedAt: Date | null } | null> {
  const found = await client.fetchOne(
    String(uid),
    { uid: true, internalDate: true, source: { start: 0, maxLength: mailLimits.bytes } },
    { uid: true },
  )
  if (found && found.source !== undefined) return { raw: found.source, arrivedAt: dateOf(found.internalDate) }
  if ((await search(client, { uid: String(uid) })).includes(uid))
    throw new Error(`The mail with the UID ${uid} cannot be read.`)
  return null
}

async function search(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true })
  if (!found) throw new Error('The server does not search.')
  return found.toSorted((a, b) => a - b)
}

/** `n:*` always matches the newest mail, even if its UID is lower, so filter out older UIDs. */
async function uidsAfter(client: ImapFlow, last: number): Promise<number[]> {
  return (await search(client, { uid: `${last + 1}:*` })).filter((uid) => uid > last)
}

/** The server searches by day, in its own time zone, and stores arrival times in whole seconds. */
async function uidsSince(client: ImapFlow, since: Date): Promise<number[]> {
  const sinceSecond = Math.floor(since.getTime() / 1000) * 1000
  const found = await search(client, { since: new Date(since.getTime() - dayMs) })
  if (found.length === 0) return []
  const uids: number[] = []
  for await (const { uid, internalDate } of client.fetch(
    found,
    { uid: true, internalDate: true },
    { uid: true },
  ))
    if ((dateOf(internalDate)?.getTime() ?? sinceSecond) >= sinceSecond) uids.push(uid)
  return uids.toSorted((a, b) => a - b)
}

function dateOf(internalDate: Date | string | undefined): Date | null {
  const date = new Date(internalDate ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

interface ImapFailure {
  message?: string
  code?: string
  authenticationFailed?: boolean
  responseText?: string
}

/** The error in words for the operator. Never quotes what was sent, which includes the password. */
function inWords(error: unknown, { host, mailbox }: ImapServer): string {
  const { message = '', code, authenticationFailed, responseText } = Object(error) as ImapFailure
  const said = responseText === undefined ? '' : `: ${responseText.slice(0, 200)}`
  if (authenticationFailed === true) return `${host} does not accept the name and password${said}`
  if (responseText !== undefined) return `${host} does not open the folder ${mailbox}${said}`
  return `${host} cannot be read: ${code === undefined ? message.slice(0, 200) : `${message.slice(0, 200)} (${code})`}`
}
