import type { Reply } from '#kernel/egress/egress.ts'
import type { ProviderAccount } from '../../modules/messages/ports.ts'
import { objectOf, objectsIn } from '../replies.ts'
import { type TwilioPlace, callTwilio } from './twilio-api.ts'

/** Has Twilio send what a number receives to this URL. False if the account does not have the number. */
export async function connectNumber(
  place: TwilioPlace,
  account: ProviderAccount,
  number: string,
  url: string,
): Promise<boolean> {
  const { sid } = await findNumber(place, account, number)
  if (sid === undefined) return false
  const path = `IncomingPhoneNumbers/${encodeURIComponent(sid)}.json`
  const { status } = await callTwilio(place, account, path, { SmsUrl: url, SmsMethod: 'POST' })
  return status === 200
}

/** What Twilio calls a number, if the account has it, and the response that says so. */
export async function findNumber(
  place: TwilioPlace,
  account: ProviderAccount,
  number: string,
): Promise<{ sid: string | undefined; reply: Reply }> {
  const query = new URLSearchParams({ PhoneNumber: number })
  const reply = await callTwilio(place, account, `IncomingPhoneNumbers.json?${query}`)
  // Twilio also lists numbers that contain what is looked for.
  const found = objectsIn(objectOf(reply)['incoming_phone_numbers']).find(
    ({ phone_number }) => phone_number === number,
  )
  return { sid: typeof found?.['sid'] === 'string' ? found['sid'] : undefined, reply }
}
