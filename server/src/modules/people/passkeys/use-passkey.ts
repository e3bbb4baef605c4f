import type { Runtime } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { networkOf } from '../../access/public.ts'
import { TooManyAttempts, countAttempt } from '../attempts.ts'
import { type PersonRow, findPerson } from '../queries.ts'
import { endStep, startStep, stepMs } from '../sign-in-step.ts'
import {
  type Challenge,
  PasskeyRejected,
  credentialsOf,
  orRejected,
  passkeyRejections,
  parseAssertion,
} from './passkeys.ts'
import { findPasskey, recordPasskeyUse } from './queries.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { webauthn } from './webauthn.ts'

/** Creates a challenge for any passkey of this server or, given `personId`, for one of that person's passkeys. */
export async function challengePasskey(
  runtime: Runtime,
  { id: rpID }: RelyingParty,
  kind: 'passkey-sign-in' | 'passkey-confirm',
  personId: string | null,
): Promise<Challenge> {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID,
    timeout: stepMs,
    userVerification: 'required',
    allowCredentials: personId === null ? [] : await credentialsOf(runtime, personId),
  })
  const cookie = await startStep(runtime, kind, { personId, challenge: options.challenge })
  return { options, cookie }
}

/**
 * Returns the person whose passkey signed the browser's challenge. A passkey verifies its user by fingerprint, face or
 * PIN, so it replaces both factors. Throws `PasskeyRejected`.
 */
export async function verifyPasskey(
  runtime: Runtime,
  kind: 'passkey-sign-in' | 'passkey-confirm',
  answer: string,
  request: PlainRequest,
): Promise<PersonRow> {
  const { directory } = runtime.database
  const party = relyingPartyOf(runtime.origin(), request)
  if (party === undefined) throw PasskeyRejected(passkeyRejections.noParty)
  const step = await endStep(runtime, kind, request)
  if (step === undefined || step.challenge === null) throw PasskeyRejected(passkeyRejections.late)
  const expectedChallenge = step.challenge
  const response = await orRejected(async () => parseAssertion(answer))
  const passkey = await findPasskey(directory, response.id)
  if (passkey === undefined) throw PasskeyRejected(passkeyRejections.unknown)
  const { id, person_id, public_key, counter, transports } = passkey
  if (!names(person_id, response.response.userHandle, step.personId === null))
    throw PasskeyRejected(passkeyRejections.notGood)
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await orRejected(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id, publicKey: new Uint8Array(public_key), counter, transports },
      requireUserVerification: true,
    }),
  )
  if (!verified) throw PasskeyRejected(passkeyRejections.notGood)
  if ((await recordPasskeyUse(directory, id, authenticationInfo.newCounter, runtime.clock.now())) === 0)
    throw PasskeyRejected(passkeyRejections.notGood)
  const person = await findPerson(directory, person_id)
  if (person === undefined) throw PasskeyRejected(passkeyRejections.unknown)
  return person
}

/**
 * The user handle, if present, must name the passkey's owner. It is required if the challenge was not for a known
 * person (WebAuthn, 7.2, step 6).
 */
const names = (personId: string, userHandle: string | undefined, must: boolean) =>
  userHandle === undefined ? !must : userHandle === Buffer.from(personId).toString('base64url')

/** Challenges per network and 15 minutes. Each occupies a row for five minutes. */
const offersOfNetwork = 300

/** Returns a challenge for the sign-in page; undefined if passkeys cannot work here or the network is above its limit. */
export async function offerPasskey(runtime: Runtime, request: PlainRequest): Promise<Challenge | undefined> {
  const party = relyingPartyOf(runtime.origin(), request)
  if (party === undefined) return undefined
  try {
    await countAttempt(runtime, {
      own: {},
      shared: { [`offer ${networkOf(request.address)}`]: offersOfNetwork },
    })
  } catch (error) {
    if (error instanceof AppError && error.code === TooManyAttempts.code) return undefined
    throw error
  }
  return challengePasskey(runtime, party, 'passkey-sign-in', null)
}
