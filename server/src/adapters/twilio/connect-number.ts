import type { Reply } from '#kernel/egress/egress.ts'
import type { ProviderAccount } from '../../modules/messages/ports.ts'
import { objectOf, objectsIn } from '../replies.ts'
import { type TwilioPlace, callTwilio } from './twilio-api.ts'

/**
 * Has Twilio send what a number receives to us: texts, and calls unless something else answers those. `urlOf`: the URL of a callback.
 * False if the account does not have the number.
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

/** Whether no one answers the calls of a number yet: a new one has the URL of a demonstration. */
const isFree = (voiceUrl: string, { id }: ProviderAccount): boolean =>
  voiceUrl === '' ||
  voiceUrl.startsWith('https://demo.twilio.com/') ||
  voiceUrl.includes(`/callbacks/twilio/${id}/`)

/** What Twilio calls a number, if the account has it, and the response that says so. */
export async function findNumber(
  place: TwilioPlace,
  account: ProviderAccount,
  number: string,
): Promise<{ sid: string | undefined; voiceUrl: string; reply: Reply }> {
  const query = new URLSearchParams({ PhoneNumber: number })
  const reply = await callTwilio(place, account, `IncomingPhoneNumbers.json?${query}`)
  // Twilio also lists numbers that contain what is looked for.
  const found = objectsIn(objectOf(reply)['incoming_phone_numbers']).find(
    ({ phone_number }) => phone_number === number,
  )
  const textOf = (name: string) => (typeof found?.[name] === 'string' ? found[name] : undefined)
  return { sid: textOf('sid'), voiceUrl: textOf('voice_url') ?? '', reply }
}
