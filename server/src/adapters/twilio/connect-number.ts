import type { Reply } from '#kernel/egress/egress.ts'
import type { ProviderAccount } from '../../modules/messages/ports.ts'
import { objectOf, objectsIn } from '../replies.ts'
import { type TwilioPlace, callTwilio } from './twilio-api.ts'

/**
 * Points a number's webhooks at Gable: texts always, calls only if nothing else answers them yet. `urlOf` returns a
 * callback URL. Returns false if the account does not have the number.
 */
export async function connectNumber(
  place: TwilioPlace,
  account: ProviderAccount,
  number: string,
  urlOf: (path: string) => string,
): Promise<boolean> {
  const { sid, voiceUrl } = await findNumber(place, account, number)
  if (sid === undefined) return false
  const path = `IncomingPhoneNumbers/${encodeURIComponent(sid)}.json`
  const texts = { SmsUrl: urlOf('inbound'), SmsMethod: 'POST' }
  const calls = {
    VoiceUrl: urlOf('voice/incoming'),
    VoiceMethod: 'POST',
    StatusCallback: urlOf('voice/ended'),
    StatusCallbackMethod: 'POST',
  }
  const { status } = await callTwilio(place, account, path, {
    ...texts,
    ...(isFree(voiceUrl, account) && calls),
  })
  return status === 200
}

/** Whether nothing else answers the number's calls yet. New numbers have a demo URL. */
const isFree = (voiceUrl: string, { id }: ProviderAccount): boolean =>
  voiceUrl === '' ||
  voiceUrl.startsWith('https://demo.twilio.com/') ||
  voiceUrl.includes(`/callbacks/twilio/${id}/`)

/** The number's SID (undefined if the account does not have the number), its URLs, and the response. */
export async function findNumber(
  place: TwilioPlace,
  account: ProviderAccount,
  number: string,
): Promise<{ sid: string | undefined; smsUrl: string; voiceUrl: string; reply: Reply }> {
  const query = new URLSearchParams({ PhoneNumber: number })
  const reply = await callTwilio(place, account, `IncomingPhoneNumbers.json?${query}`)
  // Twilio also returns partial matches.
  const found = objectsIn(objectOf(reply)['incoming_phone_numbers']).find(
    ({ phone_number }) => phone_number === number,
  )
  const textOf = (name: string) => (typeof found?.[name] === 'string' ? found[name] : undefined)
  return {
    sid: textOf('sid'),
    smsUrl: textOf('sms_url') ?? '',
    voiceUrl: textOf('voice_url') ?? '',
    reply,
  }
}
