import type { Clock } from '#kernel/clock.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import type { Carrier, OpenCleared } from '../../modules/messages/ports.ts'
import { objectOf, testOutcome, unknown, withoutNumbers } from '../replies.ts'
import { signingSecretsOf, phoneNumberIdOf, verifyTokenOf } from './account.ts'
import { fetchMetaMedia } from './media.ts'
import { type MetaPlace, getFromMeta, postToMeta } from './meta-api.ts'
import { readInboundUrl, readNumberStatus } from './number-status.ts'
import { readWhatsAppCallback } from './read-callback.ts'
import { bodyOf, metaOutcomeOf } from './send-message.ts'
import { listMetaTemplates } from './templates.ts'

export interface WhatsAppOptions extends MetaPlace {
  /** For files of messages. */
  mediaEgress: Egress
  open: OpenCleared
  clock: Clock
  /** This server's public address, for Meta's callbacks. */
  origin: () => string
}

/** Messages through Meta's WhatsApp Cloud API. An account's name is its business account ID. */
export const whatsAppCarrier = ({ open, clock, origin, ...place }: WhatsAppOptions): Carrier => ({
  async send(account, cleared) {
    try {
      const message = open(cleared, clock.now())
      const id = phoneNumberIdOf(account, message.from)
      if (id === undefined) return noPhoneNumberId
      return metaOutcomeOf(await postToMeta(place, account, `${id}/messages`, bodyOf(message)))
    } catch (error) {
      // The message may already have been sent: its clearance could be used up.
      return unknown(error instanceof Error ? error.message : 'defect')
    }
  },
  // Meta has no list of messages. A callback settles an unknown outcome.
  find: async () => undefined,
  readCallback: readWhatsAppCallback,
  fetchMedia: (account, id, maxBytes) => fetchMetaMedia(place, account, id, maxBytes),
  // Meta retries callbacks for seven days.
  listInbound: async () => [],
  async test(account) {
    const reply = await getFromMeta(place, account, `${account.name}/message_templates?fields=name&limit=1`)
    const { code, message } = {
      ...(objectOf(reply)['error'] as { code?: unknown; message?: unknown } | undefined),
    }
    const result = testResults[String(code)] ?? testOutcome(reply)
    const said =
      typeof message === 'string' ? withoutNumbers(message) : (reply.failure ?? `status ${reply.status}`)
    return { result, said: result === 'accepted' ? null : said }
  },
  async readInboundUrl(account, { address }) {
    const id = phoneNumberIdOf(account, address)
    if (id === undefined) return undefined
    return {
      actual: await readInboundUrl(place, account, id),
      expected: callbackUrlOf(origin(), account),
      setting: 'the callback URL of the webhook in the App Dashboard',
    }
  },
  async connectSender(account, address) {
    const id = phoneNumberIdOf(account, address)
    const [appSecret] = signingSecretsOf(account)
    if (id === undefined || appSecret === undefined) return false
    const webhook_configuration = {
      override_callback_uri: callbackUrlOf(origin(), account),
      verify_token: verifyTokenOf(appSecret, account),
    }
    return (await postToMeta(place, account, id, { webhook_configuration })).status === 200
  },
  async readRegistration(account, { address }) {
    const status = await readNumberStatus(place, account, address)
    return status === undefined ? {} : { status }
  },
  listTemplates: (account) => listMetaTemplates(place, account),
})

/** Meta's error codes for a token that is not valid, and for an account that it does not show. */
const testResults: Readonly<Record<string, 'rejected' | 'unknown_account'>> = {
  190: 'rejected',
  100: 'unknown_account',
}

const callbackUrlOf = (origin: string, { id }: { id: string }) => `${origin}/callbacks/whatsapp/${id}/webhook`

const noPhoneNumberId = {
  kind: 'rejected',
  failure: {
    code: 'sender_not_registered',
    carrierCode: null,
    message: 'The settings of the connection do not name the phone number ID of the sender.',
  },
} as const
