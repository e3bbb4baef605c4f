import type { Runtime } from '#kernel/context.ts'
import type { DirectoryTx } from '#kernel/db/handles.ts'
import { ValidationFailed, defineError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { attemptLimits, byBrowser, countAttempt } from '../attempts.ts'
import { notifyPerson } from '../notify-person.ts'
import type { PersonRow } from '../queries.ts'
import { type AuthenticatedPerson, lockAuthenticatedPerson } from '../sessions.ts'
import {
  confirmTotpKey,
  deleteRecoveryCodes,
  findTotp,
  forgetTotp,
  insertRecoveryCodes,
  saveTotpKey,
  consumeRecoveryCode,
  consumeTotpStep,
} from './queries.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts'
import { newTotpKey, openTotpKey, sealTotpKey, timeStepOf } from './totp.ts'

type Who = Pick<PersonRow, 'id' | 'email'>

const IsOn = defineError('conflict', 409, () => ({ message: 'Two-factor authentication is already on.' }))
const IsOff = defineError('conflict', 409, () => ({ message: 'Two-factor authentication is off.' }))

/** Removes the spaces that people type in a code. */
const plainCode = (typed: string) => typed.replaceAll(/\s/g, '')

/** Returns a new authenticator key. Codes are not required until a first code has confirmed it. */
export async function beginSecondStep({ database, keys, clock }: Runtime, { id }: Who): Promise<string> {
  const key = newTotpKey()
  if ((await saveTotpKey(database.directory, id, sealTotpKey(keys, id, key), clock.now())) === 0) throw IsOn()
  return key
}

/** Returns the key that is not confirmed yet, if there is one. */
export async function pendingKey({ database, keys }: Runtime, { id }: Who): Promise<string | undefined> {
  const row = await findTotp(database.directory, id)
  return row?.totp_confirmed_at === null ? openTotpKey(keys, id, row.totp) : undefined
}

/**
 * Turns the second step on, given a first code. Returns the recovery codes, which cannot be shown again. Throws
 * `ValidationFailed` for the code, a conflict if the second step is already on, and `SessionSuperseded`.
 */
export async function confirmSecondStep(
  runtime: Runtime,
  person: AuthenticatedPerson,
  typed: string,
): Promise<string[]> {
  const { database, keys, clock } = runtime
  const row = await findTotp(database.directory, person.id)
  if (row?.totp_confirmed_at !== null) throw IsOn()
  const sealed = row.totp
  const now = clock.now()
  const step = timeStepOf(openTotpKey(keys, person.id, sealed), plainCode(typed), now)
  if (step === undefined)
    throw ValidationFailed([{ path: 'code', message: 'is not the current code of the app' }])
  return database.directory.transaction(async (tx) => {
    await lockAuthenticatedPerson(tx, person)
    if ((await confirmTotpKey(tx, person.id, sealed, step, now)) === 0) throw IsOn()
    notifyPerson(tx, runtime, person, 'Two-factor authentication was turned on.')
    return replaceRecoveryCodes(tx, person)
  })
}

/**
 * Replaces the recovery codes and returns ten new ones. Throws a conflict if the second step is off, and
 * `SessionSuperseded`.
 */
export const renewRecoveryCodes = (runtime: Runtime, person: AuthenticatedPerson): Promise<string[]> =>
  runtime.database.directory.transaction(async (tx) => {
    if ((await lockAuthenticatedPerson(tx, person)).totp_confirmed_at === null) throw IsOff()
    notifyPerson(tx, runtime, person, 'New recovery codes were generated. The old ones no longer work.')
    return replaceRecoveryCodes(tx, person)
  })

async function replaceRecoveryCodes(tx: DirectoryTx, { id }: Who): Promise<string[]> {
  const codes = newRecoveryCodes()
  await deleteRecoveryCodes(tx, id)
  await insertRecoveryCodes(tx, id, codes.map(hashRecoveryCode))
  return codes
}

/** Turns the second step off. Throws a conflict if it is already off, and `SessionSuperseded`. */
export const removeSecondStep = (runtime: Runtime, person: AuthenticatedPerson): Promise<void> =>
  runtime.database.directory.transaction(async (tx) => {
    await lockAuthenticatedPerson(tx, person)
    if ((await forgetTotp(tx, person.id, runtime.clock.now())) === 0) throw IsOff()
    await deleteRecoveryCodes(tx, person.id)
    notifyPerson(tx, runtime, person, 'Two-factor authentication was turned off.')
  })

/**
 * Verifies and uses up an authenticator code or a recovery code. Returns whether it was right. Throws `TooManyAttempts`
 * above the limits.
 */
export async function verifySecondStep(
  runtime: Runtime,
  person: PersonRow,
  typed: string,
  request: PlainRequest,
): Promise<boolean> {
  const { id } = person
  const forget = await countCode(runtime, person, request)
  const code = plainCode(typed)
  const right = /^\d{6}$/.test(code)
    ? await consumeCode(runtime, id, code)
    : (await consumeRecoveryCode(runtime.database.directory, id, hashRecoveryCode(typed))) > 0
  if (right) await forget()
  return right
}

async function countCode(runtime: Runtime, person: PersonRow, request: PlainRequest) {
  const account = { [`code ${person.id}`]: attemptLimits.place }
  try {
    return await countAttempt(runtime, byBrowser(runtime, request, 'code', person, account))
  } catch (error) {
    await warn(runtime, person)
    throw error
  }
}

/** Emails the person, at most once per 15 minutes: several wrong codes mean that someone else may have the password. */
async function warn(runtime: Runtime, person: Who): Promise<void> {
  const isFirst = await countAttempt(runtime, { own: { [`warning ${person.id}`]: 1 }, shared: {} }).then(
    () => true,
    () => false,
  )
  if (isFirst)
    await runtime.database.directory.transaction(async (tx) => notifyPerson(tx, runtime, person, guessing))
}

const guessing = 'Someone entered your password, and then several wrong codes.'

async function consumeCode({ database: { directory }, keys, clock }: Runtime, id: string, code: string) {
  const row = await findTotp(directory, id)
  if (row === undefined || row.totp_confirmed_at === null) return false
  const step = timeStepOf(openTotpKey(keys, id, row.totp), code, clock.now())
  return step !== undefined && (await consumeTotpStep(directory, id, step, row.totp_confirmed_at)) > 0
}
