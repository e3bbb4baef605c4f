import type { Clock } from '#kernel/clock.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import type { Carrier, OpenCleared } from '../../modules/messages/ports.ts'
import { objectOf, saysGone, sendLater, unavailable, unknown } from '../replies.ts'
import { connectNumber } from './connect-number.ts'
import { findSentMessage, listReceived, readMessageStatus } from './list-messages.ts'
import { fetchTwilioMedia, forgetMedia } from './media.ts'
import { readTwilioCallback } from './read-callback.ts'
import { readTwilioInbound, readTwilioRegistration } from './registrations.ts'
import { callbackUrl, formOf, outcomeOf, validityOf } from './send-message.ts'
import { type TwilioPlace, callTwilio } from './twilio-api.ts'

export interface TwilioOptions extends TwilioPlace {
  /** For files of messages, which follow a redirect to where Twilio stores them. */
  mediaEgress: Egress
  open: OpenCleared
  clock: Clock
  /** This server's public address, for Twilio's callbacks. */
  origin: () => string
}

/** Texts through Twilio. An account's name is its SID (AC…); its secrets are the primary and secondary auth tokens. */
export const twilioCarrier = ({ open, clock, origin, ...place }: TwilioOptions): Carrier => ({
  async send(account, cleared) {
    const now = clock.now()
    const validity = validityOf(cleared.validUntil, now)
    if (validity === undefined)
      return sendLater(unavailable('The hours in which the message may arrive are over.'))
    try {
      const form = formOf(open(cleared, now), account, origin(), validity)
      return outcomeOf(await callTwilio(place, account, 'Messages.json', form))
    } catch (error) {
      // The message may already have been sent: its clearance could be used up.
      return unknown(error instanceof Error ? error.message : 'defect')
    }
  },
  find: (account, sought) =>
    findSentMessage(place, account, sought).catch((error: unknown) => {
      if (sought.until !== undefined) throw error
      return undefined
    }),
  readCallback: readTwilioCallback,
  listInbound: (account, since) => listReceived(place, account, since),
  connectSender: (account, address) =>
    connectNumber(place, account, address, (path) => callbackUrl(origin(), account, path)),
  async forget(account, providerMessageId) {
    const path = `Messages/${encodeURIComponent(providerMessageId)}.json`
    const reply = await callTwilio(place, account, path, { Body: '' })
    // If the message no longer exists, neither does its text.
    if (saysGone(reply)) return true
    if (reply.status !== 200) return false
    return Number(objectOf(reply)['num_media'] ?? 0) === 0 || forgetMedia(place, account, providerMessageId)
  },
  readStatus: (account, providerMessageId) => readMessageStatus(place, account, providerMessageId),
  fetchMedia: (account, source, maxBytes) => fetchTwilioMedia(place, account, source, maxBytes),
  readRegistration: (account, sender) => readTwilioRegistration(place, account, sender),
  async readInboundUrl(account, { address }) {
    const found = await readTwilioInbound(place, account, address)
    return found && { ...found, expected: callbackUrl(origin(), account, 'inbound') }
  },
})
