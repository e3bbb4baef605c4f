import type { Runtime } from '#kernel/context.ts'
import { violates } from '#kernel/db/errors.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { requireText } from '../../workspaces/public.ts'
import { notifyPerson } from '../notify-person.ts'
import type { PersonRow } from '../queries.ts'
import { type AuthenticatedPerson, lockAuthenticatedPerson } from '../sessions.ts'
import { endStep, startStep, stepMs } from '../sign-in-step.ts'
import {
  type Challenge,
  PasskeyRejected,
  credentialsOf,
  orRejected,
  passkeyRejections,
  parseRegistration,
} from './passkeys.ts'
import { deletePasskey, insertPasskey, listPasskeys } from './queries.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { webauthn } from './webauthn.ts'

/**
 * Signature algorithms by their COSE numbers: EdDSA, ES256, RS256. The library's default includes more and warns that
 * Node's support for them is experimental.
 */
const supportedAlgorithmIDs = [-8, -7, -257]

/** The most passkeys that one person can have. */
const maxPasskeys = 20

/** Starts adding a passkey. Returns a challenge for a new, discoverable passkey with user verification. */
export async function challengeNewPasskey(
  runtime: Runtime,
  { id: rpID }: RelyingParty,
  { id, email, name }: Pick<PersonRow, 'id' | 'email' | 'name'>,
): Promise<Challenge> {
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: 'Gable',
    rpID,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name,
    timeout: stepMs,
    excludeCredentials: await credentialsOf(runtime, id),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const cookie = await startStep(runtime, 'passkey-add', { personId: id, challenge: options.challenge })
  return { options, cookie }
}

/**
 * Saves a passkey that a browser has created. Throws `ValidationFailed` for its name or for one passkey too many,
 * `PasskeyRejected`, and `SessionSuperseded`.
 */
export async function addPasskey(
  runtime: Runtime,
  person: AuthenticatedPerson,
  { name, answer }: { name: string; answer: string },
  request: PlainRequest,
): Promise<void> {
  requireText('name', name, 60)
  const party = relyingPartyOf(runtime.origin(), request)
  if (party === undefined) throw PasskeyRejected(passkeyRejections.noParty)
  const step = await endStep(runtime, 'passkey-add', request)
  if (step === undefined || step.challenge === null || step.personId !== person.id)
    throw PasskeyRejected(passkeyRejections.late)
  const expectedChallenge = step.challenge
  const { verifyRegistrationResponse } = await webauthn()
  const made = await orRejected(() =>
    verifyRegistrationResponse({
      response: parseRegistration(answer),
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    }),
  )
  if (!made.verified) throw PasskeyRejected(passkeyRejections.notGood)
  const { id, publicKey, counter, transports = [] } = made.registrationInfo.credential
  const row = { id, person_id: person.id, name, public_key: Buffer.from(publicKey), counter, transports }
  try {
    await runtime.database.directory.transaction(async (tx) => {
      await lockAuthenticatedPerson(tx, person)
      if ((await listPasskeys(tx, person.id)).length >= maxPasskeys)
        throw ValidationFailed([{ path: 'name', message: `is one too many: ${maxPasskeys} are enough` }])
      await insertPasskey(tx, { ...row, created_at: runtime.clock.now().toISOString() })
      notifyPerson(tx, runtime, person, 'A passkey was added to your account.')
    })
  } catch (error) {
    if (violates(error, 'passkeys_pkey')) throw PasskeyRejected(passkeyRejections.twice)
    throw error
  }
}

/** Removes a passkey. Returns false if the person has no such passkey. Throws `SessionSuperseded`. */
export const removePasskey = (runtime: Runtime, person: AuthenticatedPerson, id: string) =>
  runtime.database.directory.transaction(async (tx) => {
    await lockAuthenticatedPerson(tx, person)
    const removed = (await deletePasskey(tx, person.id, id)) > 0
    if (removed) notifyPerson(tx, runtime, person, 'A passkey was removed from your account.')
    return removed
  })
