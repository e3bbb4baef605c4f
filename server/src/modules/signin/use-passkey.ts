import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { House } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { stepMs } from './lifetimes.ts'
import { readSigned } from './passkey-answer.ts'
import { type Challenge, PasskeyRefused, credentialsOf, judged, refusals } from './passkey-challenge.ts'
import { findPasskey, notePasskeyUse } from './passkey-queries.ts'
import { type PersonRow, findPerson } from './people-queries.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { endStep, startStep } from './step.ts'

/** Asks for any passkey of this server, or with `personId` for one of theirs. */
export async function askForPasskey(
  house: House,
  { id: rpID }: RelyingParty,
  kind: 'passkey-sign-in' | 'passkey-confirm',
  personId: string | null,
): Promise<Challenge> {
  const options = await generateAuthenticationOptions({
    rpID,
    timeout: stepMs,
    userVerification: 'required',
    allowCredentials: personId === null ? [] : await credentialsOf(house, personId),
  })
  const cookie = await startStep(house, kind, { personId, challenge: options.challenge })
  return { options, cookie }
}

/**
 * Whose passkey has signed what this browser was asked. It has made sure who uses it, by a fingerprint or a PIN, so it
 * stands for both factors. Throws PasskeyRefused.
 */
export async function personOfPasskey(
  house: House,
  publicOrigin: string,
  kind: 'passkey-sign-in' | 'passkey-confirm',
  answer: string,
  request: PlainRequest,
): Promise<PersonRow> {
  const { directory } = house.database
  const party = relyingPartyOf(publicOrigin, request)
  if (party === undefined) throw PasskeyRefused(refusals.noParty)
  const step = await endStep(house, kind, request)
  if (step === undefined || step.challenge === null) throw PasskeyRefused(refusals.late)
  const expectedChallenge = step.challenge
  const response = await judged(async () => readSigned(answer))
  const passkey = await findPasskey(directory, response.id)
  if (passkey === undefined) throw PasskeyRefused(refusals.unknown)
  const { id, person_id, public_key, counter, transports } = passkey
  if (!names(person_id, response.response.userHandle, step.personId === null))
    throw PasskeyRefused(refusals.notGood)
  const { verified, authenticationInfo } = await judged(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id, publicKey: new Uint8Array(public_key), counter, transports },
      requireUserVerification: true,
    }),
  )
  if (!verified) throw PasskeyRefused(refusals.notGood)
  if ((await notePasskeyUse(directory, id, authenticationInfo.newCounter, house.clock.now())) === 0)
    throw PasskeyRefused(refusals.notGood)
  const person = await findPerson(directory, person_id)
  if (person === undefined) throw PasskeyRefused(refusals.unknown)
  return person
}

/** Whose passkey it is, the browser says itself; it must, where it was asked for anybody's (WebAuthn, 7.2, step 6). */
const names = (personId: string, userHandle: string | undefined, must: boolean) =>
  userHandle === undefined ? !must : userHandle === Buffer.from(personId).toString('base64url')
