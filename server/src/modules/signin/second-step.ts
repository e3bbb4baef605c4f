import type { House } from '#kernel/context.ts'
import type { Writer } from '#kernel/db/transaction.ts'
import { ValidationFailed, defineError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { type Acting, holdActing } from './acting.ts'
import { attemptLimits, byBrowser, countAttempt } from './attempts.ts'
import type { PersonRow } from './people-queries.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts'
import {
  confirmTotpKey,
  deleteRecoveryCodes,
  findTotp,
  forgetTotp,
  insertRecoveryCodes,
  saveTotpKey,
  takeRecoveryCode,
  takeTotpStep,
} from './second-step-queries.ts'
import { tellPerson } from './tell-person.ts'
import { newTotpKey, openTotpKey, sealTotpKey, timeStepOf } from './totp.ts'

type Who = Pick<PersonRow, 'id' | 'email'>

const IsOn = defineError('conflict', 409, () => ({ message: 'The second step is on already.' }))
const IsOff = defineError('conflict', 409, () => ({ message: 'The second step is off.' }))

/** A code as people type it. */
const plainCode = (typed: string) => typed.replaceAll(/\s/g, '')

/** Answers the key for an authenticator app. Nothing is asked for until a first code has confirmed that an app has it. */
export async function beginSecondStep({ database, keys, clock }: House, { id }: Who): Promise<string> {
  const key = newTotpKey()
  if ((await saveTotpKey(database.directory, id, sealTotpKey(keys, id, key), clock.now())) === 0) throw IsOn()
  return key
}

/** The key that waits for its first code; undefined where there is none. */
export async function pendingKey({ database, keys }: House, { id }: Who): Promise<string | undefined> {
  const row = await findTotp(database.directory, id)
  return row?.totp_confirmed_at === null ? openTotpKey(keys, id, row.totp) : undefined
}

/**
 * Turns the second step on by a first code. Answers the recovery codes, which nobody can ask for again. Throws
 * ValidationFailed for the code, and Overtaken.
 */
export async function confirmSecondStep(house: House, person: Acting, typed: string): Promise<string[]> {
  const { database, keys, clock } = house
  const row = await findTotp(database.directory, person.id)
  if (row?.totp_confirmed_at !== null) throw IsOn()
  const sealed = row.totp
  const now = clock.now()
  const step = timeStepOf(openTotpKey(keys, person.id, sealed), plainCode(typed), now)
  if (step === undefined)
    throw ValidationFailed([{ path: 'code', message: 'is not what the app shows for this key now' }])
  return database.transaction('', async (tx) => {
    await holdActing(tx, person)
    if ((await confirmTotpKey(tx, person.id, sealed, step, now)) === 0) throw IsOn()
    tellPerson(tx, house, person, 'The second step of your sign-in was turned on.')
    return replaceRecoveryCodes(tx, person)
  })
}

/** Ten new recovery codes in place of those that are left. Throws Overtaken. */
export const renewRecoveryCodes = (house: House, person: Acting): Promise<string[]> =>
  house.database.transaction('', async (tx) => {
    if ((await holdActing(tx, person)).totp_confirmed_at === null) throw IsOff()
    tellPerson(tx, house, person, 'New recovery codes were made for your sign-in; the old ones are void.')
    return replaceRecoveryCodes(tx, person)
  })

async function replaceRecoveryCodes(tx: Writer, { id }: Who): Promise<string[]> {
  const codes = newRecoveryCodes()
  await deleteRecoveryCodes(tx, id)
  await insertRecoveryCodes(tx, id, codes.map(hashRecoveryCode))
  return codes
}

/** From now on the password alone is enough. Throws IsOff where it was before, and Overtaken. */
export const removeSecondStep = (house: House, person: Acting): Promise<void> =>
  house.database.transaction('', async (tx) => {
    await holdActing(tx, person)
    if ((await forgetTotp(tx, person.id, house.clock.now())) === 0) throw IsOff()
    await deleteRecoveryCodes(tx, person.id)
    tellPerson(tx, house, person, 'The second step of your sign-in was turned off.')
  })

/**
 * Whether this is a code of the person's app that nobody has used yet, or one of their recovery codes; either is used up
 * by it. Throws TooManyAttempts, so that nobody can go through all codes.
 */
export async function isSecondStep(
  house: House,
  person: PersonRow,
  typed: string,
  request: PlainRequest,
): Promise<boolean> {
  const { id } = person
  const forget = await countCode(house, person, request)
  const code = plainCode(typed)
  const right = /^\d{6}$/.test(code)
    ? await takeCode(house, id, code)
    : (await takeRecoveryCode(house.database.directory, id, hashRecoveryCode(typed))) > 0
  if (right) await forget()
  return right
}

async function countCode(house: House, person: PersonRow, request: PlainRequest) {
  const account = { [`code ${person.id}`]: attemptLimits.place }
  try {
    return await countAttempt(house, byBrowser(house, request, 'code', person, account))
  } catch (error) {
    await warn(house, person)
    throw error
  }
}

/** Whoever gets to the second step has the password. The person is told, once in a quarter of an hour. */
async function warn(house: House, person: Who): Promise<void> {
  const isFirst = await countAttempt(house, { own: { [`warning ${person.id}`]: 1 }, shared: {} }).then(
    () => true,
    () => false,
  )
  if (isFirst) await house.database.transaction('', async (tx) => tellPerson(tx, house, person, guessing))
}

const guessing = 'Somebody has entered your password, and then wrong codes again and again.'

async function takeCode({ database: { directory }, keys, clock }: House, id: string, code: string) {
  const row = await findTotp(directory, id)
  if (row === undefined || row.totp_confirmed_at === null) return false
  const step = timeStepOf(openTotpKey(keys, id, row.totp), code, clock.now())
  return step !== undefined && (await takeTotpStep(directory, id, step, row.totp_confirmed_at)) > 0
}
