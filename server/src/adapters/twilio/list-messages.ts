import type {
  InboundMessage,
  ProviderAccount,
  SoughtMessage,
  StatusReport,
} from '../../modules/messages/ports.ts'
import { objectOf, saysGone, unexpected } from '../replies.ts'
import { listMedia } from './media.ts'
import { type TwilioMessage, inboundOf, twilioMessageOf, messagesOf, reportOf } from './message-resource.ts'
import { type TwilioPlace, accountPath, callTwilio } from './twilio-api.ts'

/** Small enough for a page of the longest texts to fit the response limit. */
const pageSize = '50'

const maxPages = 2_000

/** Tolerance: Twilio's times are in whole seconds, and clocks differ a little. */
const clocksDifferMs = 2_000

/** Within this time, an attempt has ended, and the next one to the same recipient has not started. */
const attemptMs = 30_000

/**
 * The message with this text that was created closest to the start of the attempt, if there is one within the
 * tolerance.
 */
export async function findSentMessage(
  place: TwilioPlace,
  account: ProviderAccount,
  { attemptId, from, to, body, since, until, isTaken }: SoughtMessage,
): Promise<StatusReport | undefined> {
  const query = new URLSearchParams({ To: to, From: from, PageSize: pageSize })
  const { messages } = await page(place, account, `Messages.json?${query}`)
  const apart = ({ createdAt }: TwilioMessage) => createdAt.getTime() - since.getTime()
  const latest = until === undefined ? attemptMs : until.getTime() - since.getTime()
  const candidates = messages
    .filter((one) => one.direction.startsWith('outbound') && one.body.trim() === (body ?? '').trim())
    .filter((one) => apart(one) > -clocksDifferMs && apart(one) < latest)
    .toSorted((a, b) => Math.abs(apart(a)) - Math.abs(apart(b)))
  let found: TwilioMessage | undefined
  for (const one of candidates) if (found === undefined && (await isTaken?.(one.sid)) !== true) found = one
  return found && reportOf(found.sid, attemptId, { ...found, at: found.sentAt ?? found.createdAt })
}

/** The status of a message of ours. Undefined if Twilio has deleted it. Throws if Twilio cannot be reached. */
export async function readMessageStatus(
  place: TwilioPlace,
  account: ProviderAccount,
  sid: string,
): Promise<StatusReport | undefined> {
  const reply = await callTwilio(place, account, `Messages/${encodeURIComponent(sid)}.json`)
  if (saysGone(reply)) return undefined
  if (reply.status !== 200) throw unexpected('Twilio’s message', reply)
  // Twilio does not say when the text arrived.
  return reportOf(sid, null, { ...twilioMessageOf(objectOf(reply)), at: null })
}

/** All messages received since `since`. Throws if the list can't be read to the end. */
export async function listReceived(
  place: TwilioPlace,
  account: ProviderAccount,
  since: Date,
): Promise<InboundMessage[]> {
  const received: InboundMessage[] = []
  const query = new URLSearchParams({
    'DateSent>': `${since.toISOString().slice(0, 19)}Z`,
    PageSize: pageSize,
  })
  let path: string | undefined = `Messages.json?${query}`
  for (let pages = 0; path !== undefined; pages++) {
    if (pages >= maxPages) throw new Error(`Twilio lists more than ${maxPages} pages.`)
    const { messages, next } = await page(place, account, path)
    for (const one of messages) {
      if (one.direction !== 'inbound') continue
      const media = one.mediaCount > 0 ? await listMedia(place, account, one.sid) : []
      received.push(inboundOf(account, one, one.sentAt ?? one.createdAt, media))
    }
    path = next
  }
  return received
}

async function page(place: TwilioPlace, account: ProviderAccount, path: string) {
  const reply = await callTwilio(place, account, path)
  if (reply.status !== 200) throw unexpected('Twilio’s list', reply)
  const list = objectOf(reply)
  const next = list['next_page_uri']
  return {
    messages: messagesOf(list),
    next:
      typeof next === 'string' && next.startsWith(`${accountPath(account)}Messages.json?`) ? next : undefined,
  }
}
