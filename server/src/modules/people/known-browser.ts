import { randomBytes } from 'node:crypto'
import type { Runtime } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { readCookie, setCookie } from './cookies.ts'
import { type SignInState, findPerson } from './queries.ts'

/** A browser stays known for this long after a sign-in. */
const deviceMs = 90 * 24 * 60 * 60_000

const purpose = 'device'

type Browser = Pick<PlainRequest, 'headers'>

/**
 * Returns a cookie that proves that this person has signed in with this browser before. Attempts from a known browser
 * are counted separately, so that guessing from elsewhere cannot lock the person out (OWASP, "Slow down online guessing
 * attacks with device cookies"). The cookie alone does not sign anyone in. It is valid for 90 days, or until the person
 * changes how they sign in. A known browser keeps its name.
 */
export function deviceCookie(runtime: Runtime, person: SignInState, request: Browser): string {
  const name = knownDevice(runtime, request, person) ?? randomBytes(16).toString('base64url')
  const since = String(runtime.clock.now().getTime())
  const signature = runtime.keys.sign(purpose, signedText(person, name, since)).toString('base64url')
  return setCookie('device', `${name}.${since}.${signature}`, deviceMs)
}

/** Returns the cookie that keeps a browser known after the person has changed how they sign in. */
export async function renewDeviceCookie(
  runtime: Runtime,
  personId: string,
  request: Browser,
): Promise<string[]> {
  const person = await findPerson(runtime.database.directory, personId)
  return person === undefined ? [] : [deviceCookie(runtime, person, request)]
}

/** Returns the browser's random name if the person has signed in with it before. */
export function knownDevice(
  { keys, clock }: Runtime,
  request: Browser,
  person: SignInState,
): string | undefined {
  const [name = '', since = '', signature = ''] = readCookie(request, 'device')?.split('.') ?? []
  const isInTime = clock.now().getTime() < Number(since) + deviceMs
  const isOurs = keys.verifies(purpose, signedText(person, name, since), Buffer.from(signature, 'base64url'))
  return isOurs && isInTime ? name : undefined
}

const signedText = (person: SignInState, name: string, since: string) =>
  `${name} ${since} ${signInStateText(person)}`

/** Changes when the person sets another password, or turns the second step on or off. */
export const signInStateText = ({ id, password, totp_confirmed_at }: SignInState): string =>
  `${id} ${totp_confirmed_at ?? 'no'} ${password ?? 'no'}`
