import { hash } from 'node:crypto'
import type { House } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { networkOf } from '../access/public.ts'
import { attemptLimits, countAttempt } from './attempts.ts'
import { knownDevice } from './device.ts'
import { hashPassword, isDated, isPassword } from './password.ts'
import { type PersonRow, findPersonByEmail, savePassword } from './people-queries.ts'

/**
 * The person whose address and password these are; undefined where they are not, whether there is such a person or not,
 * and as slowly. Throws TooManyAttempts for one who has tried too often: from a browser that the person is known by, those
 * of that browser count; from anywhere else those of the place and of all such places.
 */
export async function checkPassword(
  house: House,
  { email, password }: { email: string; password: string },
  request: PlainRequest,
): Promise<PersonRow | undefined> {
  const { directory } = house.database
  const person = await findPersonByEmail(directory, email)
  const forget = await countAttempt(house, request.address, countedBy(house, email, person, request))
  const right = await isPassword(password, person?.password ?? null)
  if (person === undefined || person.password === null || !right) return undefined
  await forget()
  if (isDated(person.password))
    await savePassword(directory, person.id, await hashPassword(password), house.clock.now())
  return person
}

function countedBy(
  { keys }: House,
  email: string,
  person: PersonRow | undefined,
  request: PlainRequest,
): Record<string, number> {
  const device = person === undefined ? undefined : knownDevice(keys, request, person.id)
  if (device !== undefined) return { [`device ${device}`]: attemptLimits.place }
  const account = `account ${hash('sha256', email.toLowerCase())}`
  return {
    [`${account} ${networkOf(request.address)}`]: attemptLimits.place,
    [account]: attemptLimits.account,
  }
}
