import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { COSEALG } from '@simplewebauthn/server/helpers'
import type { House } from '#kernel/context.ts'
import { violates } from '#kernel/db/faults.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { requireText } from '../workspaces/public.ts'
import { type Acting, holdActing } from './acting.ts'
import { stepMs } from './lifetimes.ts'
import { readCreated } from './passkey-answer.ts'
import { type Challenge, PasskeyRefused, credentialsOf, judged, refusals } from './passkey-challenge.ts'
import { deletePasskey, insertPasskey, listPasskeys } from './passkey-queries.ts'
import type { PersonRow } from './people-queries.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { endStep, startStep } from './step.ts'
import { tellPerson } from './tell-person.ts'

/** What a passkey may sign with; the library would ask for more, and warn that Node's is experimental. */
const supportedAlgorithmIDs = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256]

/** How many a person can have. */
const maxPasskeys = 20

/** Asks for a new passkey: one that is found without a name being typed, and that makes sure who uses it. */
export async function askForNewPasskey(
  house: House,
  { id: rpID }: RelyingParty,
  { id, email, name }: Pick<PersonRow, 'id' | 'email' | 'name'>,
): Promise<Challenge> {
  const options = await generateRegistrationOptions({
    rpName: 'Gable',
    rpID,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name,
    timeout: stepMs,
    excludeCredentials: await credentialsOf(house, id),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const cookie = await startStep(house, 'passkey-add', { personId: id, challenge: options.challenge })
  return { options, cookie }
}

/** Keeps the passkey that a browser has made. Throws ValidationFailed for its name, PasskeyRefused, and Overtaken. */
export async function addPasskey(
  house: House,
  publicOrigin: string,
  person: Acting,
  { name, answer }: { name: string; answer: string },
  request: PlainRequest,
): Promise<void> {
  requireText('name', name, 60)
  const party = relyingPartyOf(publicOrigin, request)
  if (party === undefined) throw PasskeyRefused(refusals.noParty)
  const step = await endStep(house, 'passkey-add', request)
  if (step === undefined || step.challenge === null || step.personId !== person.id)
    throw PasskeyRefused(refusals.late)
  const expectedChallenge = step.challenge
  const made = await judged(() =>
    verifyRegistrationResponse({
      response: readCreated(answer),
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    }),
  )
  if (!made.verified) throw PasskeyRefused(refusals.notGood)
  const { id, publicKey, counter, transports = [] } = made.registrationInfo.credential
  const row = { id, person_id: person.id, name, public_key: Buffer.from(publicKey), counter, transports }
  try {
    await house.database.transaction('', async (tx) => {
      await holdActing(tx, person)
      if ((await listPasskeys(tx, person.id)).length >= maxPasskeys)
        throw ValidationFailed([{ path: 'name', message: `is one too many: ${maxPasskeys} are enough` }])
      await insertPasskey(tx, { ...row, created_at: house.clock.now().toISOString() })
      tellPerson(tx, house, person, 'A passkey was added to your account.')
    })
  } catch (error) {
    if (violates(error, 'passkeys_pkey')) throw PasskeyRefused(refusals.twice)
    throw error
  }
}

/** Takes a passkey away. Nothing happens where there is none such. Throws Overtaken. */
export const removePasskey = (house: House, person: Acting, id: string) =>
  house.database.transaction('', async (tx) => {
    await holdActing(tx, person)
    const removed = (await deletePasskey(tx, person.id, id)) > 0
    if (removed) tellPerson(tx, house, person, 'A passkey was removed from your account.')
    return removed
  })
