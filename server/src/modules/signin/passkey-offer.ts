import type { House } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { networkOf } from '../access/public.ts'
import { TooManyAttempts, countAttempt } from './attempts.ts'
import type { Challenge } from './passkey-challenge.ts'
import { relyingPartyOf } from './relying-party.ts'
import { askForPasskey } from './use-passkey.ts'

/** Pages of one network in a quarter of an hour that come with a challenge: each is a row for five minutes. */
const offersOfNetwork = 300

/**
 * A challenge for the page where people sign in. Undefined where passkeys cannot be; and for a network that has had
 * hundreds, whose people sign in by password.
 */
export async function offerPasskey(
  house: House,
  origin: string,
  request: PlainRequest,
): Promise<Challenge | undefined> {
  const party = relyingPartyOf(origin, request)
  if (party === undefined) return undefined
  try {
    await countAttempt(house, {
      own: {},
      shared: { [`offer ${networkOf(request.address)}`]: offersOfNetwork },
    })
  } catch (error) {
    if (error instanceof AppError && error.code === TooManyAttempts.code) return undefined
    throw error
  }
  return askForPasskey(house, party, 'passkey-sign-in', null)
}
