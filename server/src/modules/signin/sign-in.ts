import { hash } from 'node:crypto'
import type { House } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { networkOf } from '../access/public.ts'
import { type Counted, attemptLimits, byBrowser, countAttempt } from './attempts.ts'
import { hashPassword, isDated, isPassword } from './password.ts'
import { type PersonRow, savePasswordAnew } from './people-queries.ts'
import { personOfAddress } from './person-of-address.ts'

/**
 * The person whose address and password these are; undefined where they are not, whether there is such a person or not,
 * and as slowly. Throws TooManyAttempts for one who has tried too often: from a browser that the person is known by, those
 * of that browser count; from anywhere else those of the place, of all such places, and of the network.
 */
export async function checkPassword(
  house: House,
  { email, password }: { email: string; password: string },
  request: PlainRequest,
): Promise<PersonRow | undefined> {
  const person = await personOfAddress(house, email)
  const forget = await countAttempt(house, countedBy(house, email, person, request))
  const right = await isPassword(password, person?.password ?? null)
  if (person === undefined || person.password === null || !right) return undefined
  await forget()
  return isDated(person.password) ? hashedAnew(house, person, person.password, password) : person
}

/** At today's cost; unless the password has changed meanwhile, which then stays. */
async function hashedAnew({ database, clock }: House, person: PersonRow, dated: string, password: string) {
  const anew = await hashPassword(password)
  const saved = await savePasswordAnew(database.directory, person.id, dated, anew, clock.now())
  return saved === 0 ? person : { ...person, password: anew }
}

function countedBy(
  house: House,
  email: string,
  person: PersonRow | undefined,
  request: PlainRequest,
): Counted {
  const account = `account ${hash('sha256', email.toLowerCase())}`
  return byBrowser(house, request, 'password', person, {
    [`${account} ${networkOf(request.address)}`]: attemptLimits.place,
    [account]: attemptLimits.account,
  })
}
