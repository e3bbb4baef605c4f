import { hash } from 'node:crypto'
import type { Runtime } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { isEmail } from '#kernel/schemas.ts'
import { networkOf } from '../access/public.ts'
import { type Counted, attemptLimits, byBrowser, countAttempt } from './attempts.ts'
import { hashPassword, isDated, isPassword } from './password.ts'
import { type PersonRow, findPersonByEmail, saveRehashedPassword } from './queries.ts'

/**
 * Returns the person if the address and password match. Takes the same time whether or not the person exists. Throws
 * `TooManyAttempts` above the limits of the known browser or, from an unknown one, of the place, the account and the
 * network.
 */
export async function checkPassword(
  runtime: Runtime,
  { email, password }: { email: string; password: string },
  request: PlainRequest,
): Promise<PersonRow | undefined> {
  const person = await findPersonByTypedEmail(runtime, email)
  const forget = await countAttempt(runtime, countedBy(runtime, email, person, request))
  const right = await isPassword(password, person?.password ?? null)
  if (person === undefined || person.password === null || !right) return undefined
  await forget()
  return isDated(person.password) ? rehash(runtime, person, person.password, password) : person
}

/** Saves the hash at the current cost, unless the password has changed. */
async function rehash({ database, clock }: Runtime, person: PersonRow, dated: string, password: string) {
  const renewed = await hashPassword(password)
  const saved = await saveRehashedPassword(database.directory, person.id, dated, renewed, clock.now())
  return saved === 0 ? person : { ...person, password: renewed }
}

function countedBy(
  runtime: Runtime,
  email: string,
  person: PersonRow | undefined,
  request: PlainRequest,
): Counted {
  const account = `account ${hash('sha256', email.toLowerCase())}`
  return byBrowser(runtime, request, 'password', person, {
    [`${account} ${networkOf(request.address)}`]: attemptLimits.place,
    [account]: attemptLimits.account,
  })
}

/**
 * Returns the person with the address that someone typed. Returns undefined for text that is not a valid email address:
 * PostgreSQL folds more letters than JavaScript, such as `İ`, so one account would get several counters.
 */
export const findPersonByTypedEmail = async (
  { database }: Runtime,
  typed: string,
): Promise<PersonRow | undefined> =>
  isEmail(typed) ? findPersonByEmail(database.directory, typed) : undefined
