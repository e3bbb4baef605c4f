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

interface FoundNumber {
  sid: string | undefined
  smsUrl: string
  voiceUrl: string
  /** Where Twilio reports that a call ended. */
  endedUrl: string
  /** A TwiML app or a SIP trunk that gets the calls in place of the URLs. */
  voiceTarget: string | undefined
  reply: Reply
}

/** The number's SID (undefined if the account does not have the number), its URLs, and the response. */
export async function findNumber(
  place: TwilioPlace,
  account: ProviderAccount,
  number: string,
): Promise<FoundNumber> {
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
    endedUrl: textOf('status_callback') ?? '',
    voiceTarget: textOf('voice_application_sid') || textOf('trunk_sid') || undefined,
    reply,
  }
}
