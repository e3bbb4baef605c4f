import { randomBytes } from 'node:crypto'
import type { House } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { readCookie, setCookie } from './cookies.ts'
import { deviceMs } from './lifetimes.ts'
import { type SignsInBy, findPerson } from './people-queries.ts'
import type { Visitor } from './visitor.ts'

const purpose = 'device'

type Browser = Pick<PlainRequest, 'headers'>

/**
 * A cookie that says: somebody has signed in as this person in this browser before. Its attempts are counted apart, so
 * that whoever tries passwords elsewhere cannot keep the person out (OWASP, "Slow down online guessing attacks with
 * device cookies"). It lets nobody in, and says so for 90 days, unless the person changes how they sign in before: who
 * knew an old password gains nothing by it. A browser that is known keeps its name.
 */
export function deviceCookie(house: House, person: SignsInBy, request: Browser): string {
  const name = knownDevice(house, request, person) ?? randomBytes(16).toString('base64url')
  const since = String(house.clock.now().getTime())
  const signature = house.keys.sign(purpose, signedText(person, name, since)).toString('base64url')
  return setCookie('device', `${name}.${since}.${signature}`, deviceMs)
}

/** What keeps a visitor's browser known when they have just changed how they sign in. */
export async function staysKnown(house: House, { personId }: Visitor, request: Browser): Promise<string[]> {
  const person = await findPerson(house.database.directory, personId)
  return person === undefined ? [] : [deviceCookie(house, person, request)]
}

/** The browser's name for itself, if the person has signed in there before. */
export function knownDevice({ keys, clock }: House, request: Browser, person: SignsInBy): string | undefined {
  const [name = '', since = '', signature = ''] = readCookie(request, 'device')?.split('.') ?? []
  const isInTime = clock.now().getTime() < Number(since) + deviceMs
  const isOurs = keys.verifies(purpose, signedText(person, name, since), Buffer.from(signature, 'base64url'))
  return isOurs && isInTime ? name : undefined
}

const signedText = (person: SignsInBy, name: string, since: string) => `${name} ${since} ${signsInBy(person)}`

/** Another text as soon as the person has another password, or turns the second step on or off. */
export const signsInBy = ({ id, password, totp_confirmed_at }: SignsInBy): string =>
  `${id} ${totp_confirmed_at ?? 'no'} ${password ?? 'no'}`
