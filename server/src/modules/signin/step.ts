import type { House } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { hashSecret, isWellFormed, newSecret } from '../access/public.ts'
import { Overtaken } from './acting.ts'
import { type CookieName, readCookie, setCookie } from './cookies.ts'
import { later, stepMs } from './lifetimes.ts'
import { type SignsInBy, holdPerson } from './people-queries.ts'
import { type NewStep, findStep, insertStep, takeStep } from './step-queries.ts'

/** What a browser can be in the middle of, each under a cookie of its own: several pages may be open at once. */
export type StepKind = Exclude<CookieName, 'session' | 'device' | 'reset' | 'invitation'>

export interface Step {
  /** Null while nobody knows who it is. */
  personId: string | null
  /** What a passkey is to sign, in base64url. */
  challenge: string | null
}

type Browser = Pick<PlainRequest, 'headers'>

/** Begins a step, which waits five minutes for its answer. Answers the cookie that the browser brings back with it. */
export async function startStep(house: House, kind: StepKind, step: Step): Promise<string> {
  const { row, cookie } = newStep(house, kind, step)
  await insertStep(house.database.directory, row)
  return cookie
}

/** The second step of somebody whose password was right. Throws Overtaken where it counts no more. */
export async function startSecondStep(house: House, person: SignsInBy): Promise<string> {
  const { row, cookie } = newStep(house, 'second-step', { personId: person.id, challenge: null })
  await house.database.transaction('', async (tx) => {
    if ((await holdPerson(tx, person)) === undefined) throw Overtaken()
    await insertStep(tx, row)
  })
  return cookie
}

function newStep({ clock }: House, kind: StepKind, step: Step): { row: NewStep; cookie: string } {
  const secret = newSecret('gbl_st_')
  const row = { ...step, kind, hash: hashSecret(secret), expiresAt: later(clock.now(), stepMs) }
  return { row, cookie: setCookie(kind, secret, stepMs) }
}

/** The step that the browser is in the middle of; it stays open. */
export const openStep = (house: House, kind: StepKind, request: Browser) =>
  stepOf(house, kind, request, findStep)

/** Ends the step that the browser is in the middle of. Of two answers at once only one gets it. */
export const endStep = (house: House, kind: StepKind, request: Browser) =>
  stepOf(house, kind, request, takeStep)

async function stepOf(
  { database: { directory }, clock }: House,
  kind: StepKind,
  request: Browser,
  ask: typeof findStep,
): Promise<Step | undefined> {
  const secret = readCookie(request, kind)
  if (secret === undefined || !isWellFormed('gbl_st_', secret)) return undefined
  const row = await ask(directory, hashSecret(secret), kind, clock.now())
  return row && { personId: row.person_id, challenge: row.challenge }
}
