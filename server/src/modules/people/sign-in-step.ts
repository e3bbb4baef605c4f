import { later } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { hashSecret, isWellFormed, newSecret } from '../access/public.ts'
import { type CookieName, readCookie, setCookie } from './cookies.ts'
import { type SignInState, lockUnchangedForShare } from './queries.ts'
import { type NewStep, findStep, insertStep, takeStep } from './session-queries.ts'
import { SessionSuperseded } from './sessions.ts'

/** A person must complete a second step or a passkey challenge within this time. */
export const stepMs = 5 * 60_000

/** The kinds of steps. Each has its own cookie, because several pages may be open at once. */
export type StepKind = Exclude<CookieName, 'session' | 'device' | 'reset' | 'invitation'>

export interface Step {
  /** Null while the person is unknown. */
  personId: string | null
  /** The challenge for a passkey, in base64url. */
  challenge: string | null
}

type Browser = Pick<PlainRequest, 'headers'>

/** Starts a step, which expires after five minutes. Returns its cookie. */
export async function startStep(runtime: Runtime, kind: StepKind, step: Step): Promise<string> {
  const { row, cookie } = newStep(runtime, kind, step)
  await insertStep(runtime.database.directory, row)
  return cookie
}

/**
 * Starts the second step for a person who has entered the right password. Returns its cookie. Throws
 * `SessionSuperseded` if the password or the second step has changed since.
 */
export async function startSecondStep(runtime: Runtime, person: SignInState): Promise<string> {
  const { row, cookie } = newStep(runtime, 'second-step', { personId: person.id, challenge: null })
  await runtime.database.directory.transaction(async (tx) => {
    if ((await lockUnchangedForShare(tx, person)) === undefined) throw SessionSuperseded()
    await insertStep(tx, row)
  })
  return cookie
}

function newStep({ clock }: Runtime, kind: StepKind, step: Step): { row: NewStep; cookie: string } {
  const secret = newSecret('gbl_st_')
  const row = { ...step, kind, hash: hashSecret(secret), expiresAt: later(clock.now(), stepMs) }
  return { row, cookie: setCookie(kind, secret, stepMs) }
}

/** Returns the browser's open step and leaves it open. */
export const openStep = (runtime: Runtime, kind: StepKind, request: Browser) =>
  stepOf(runtime, kind, request, findStep)

/** Ends the browser's open step and returns it. If two requests race, only one gets it. */
export const endStep = (runtime: Runtime, kind: StepKind, request: Browser) =>
  stepOf(runtime, kind, request, takeStep)

async function stepOf(
  { database: { directory }, clock }: Runtime,
  kind: StepKind,
  request: Browser,
  ask: typeof findStep,
): Promise<Step | undefined> {
  const secret = readCookie(request, kind)
  if (secret === undefined || !isWellFormed('gbl_st_', secret)) return undefined
  const row = await ask(directory, hashSecret(secret), kind, clock.now())
  return row && { personId: row.person_id, challenge: row.challenge }
}
