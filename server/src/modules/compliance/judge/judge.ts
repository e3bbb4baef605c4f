import {
  type Code,
  type Finding,
  type GateName,
  type Matter,
  gates,
  hoursOf,
  matterOf,
  candidateRules,
  unasked,
} from './gates.ts'
import { ruleSet } from './hours-rules.ts'
import { closesAt, openings } from './hours.ts'
import { localText } from './local-time.ts'
import type { PlacedFinding, SendFacts, Send } from './send.ts'

/** What a verdict is based on. */
export interface Evidence {
  /** The version of the rules. */
  ruleSet: string
  effectivePurpose: Send['purpose']
  states: readonly string[]
  /** Every time zone that the recipient may be in, with its local time. */
  zones: readonly { zone: string; localTime: string }[]
  gates: readonly {
    gate: GateName
    codes: readonly Code[]
    rules: readonly { id: string; citation: string }[]
  }[]
  warnings: readonly string[]
  /** What the content scan found in the text, for every actor. */
  content: readonly PlacedFinding[]
}

export interface Blocked {
  allowed: false
  /** The first of `reasons`. */
  reason: Code
  /** The codes of all failed gates, in the order of the gates. */
  reasons: readonly Code[]
  /** When the same send would be allowed, in epoch milliseconds; null unless only the hours forbid it. */
  retryAt: number | null
  evidence: Evidence
}

export interface Allowed<M> {
  allowed: true
  /** The message. Only the port that sends it can open it. */
  cleared: Cleared<M>
  evidence: Evidence
}

/**
 * Judges a send by everything that is known about it. The verdict depends only on the arguments: the same facts at the same time give
 * the same verdict. Runs all gates, even after one has failed. `message` is what to send if it is allowed.
 */
export function judge<M>(message: M, send: Send, facts: SendFacts, now: Date): Allowed<M> | Blocked {
  const at = now.getTime()
  const matter = matterOf(send, facts, at)
  const findings = findingsOf(matter)
  const reasons = findings.flatMap(([, { codes }]) => codes)
  const [reason] = reasons
  const evidence: Evidence = {
    ruleSet,
    effectivePurpose: matter.isReply ? 'reply' : 'outbound',
    states: matter.states,
    zones: matter.zones.map((zone) => ({ zone, localTime: localText(zone, at) })),
    gates: findings.map(([gate, { codes, rules = [] }]) => ({
      gate,
      codes,
      rules: rules.map(({ id, citation }) => ({ id, citation })),
    })),
    warnings: warningsOf(matter),
    content: facts.content ?? [],
  }
  if (reason !== undefined)
    return { allowed: false, reason, reasons, retryAt: retryAt(matter, reasons), evidence }
  const hours = hoursOf(matter)
  const until = hours === undefined ? Number.POSITIVE_INFINITY : closesAt(hours, at)
  return { allowed: true, cleared: clear(message, Math.min(until, at + clearanceMs), until), evidence }
}

/** The gates about the person, which do not depend on the sender or the hour. */
const personGates = ['recipient', 'opt_out', 'suppression', 'consent'] as const

/** Returns the codes of the gates about the person, in their order; empty if nothing about the person forbids the send. */
export function judgePerson(send: Send, facts: SendFacts, now: Date): Code[] {
  const matter = matterOf(send, facts, now.getTime())
  return personGates.flatMap((name) => gates[name](matter).codes)
}

const findingsOf = (matter: Matter) =>
  Object.entries(gates).map(([name, gate]): [GateName, Finding] => {
    const isAsked = !matter.isConfirmation || !unasked.has(name as GateName)
    return [name as GateName, isAsked ? gate(matter) : { codes: [] }]
  })

/**
 * When the same send will be allowed, if only the hours forbid it now. Runs all gates again for each time at which a window opens in
 * one of the zones, because by then it may no longer count as a reply. Nothing else that time changes makes a send more likely to pass.
 */
function retryAt(matter: Matter, reasons: readonly Code[]): number | null {
  if (!reasons.every((code) => code === 'quiet_hours' || code === 'restricted_day')) return null
  const isAllowed = (at: number) =>
    findingsOf(matterOf(matter.send, matter.facts, at)).every(([, { codes }]) => codes.length === 0)
  return openings({ rules: candidateRules(matter), zones: matter.zones }, matter.now).find(isAllowed) ?? null
}

/** What is allowed but should be noticed: a do-not-call list that is not set up, and text that an AI could not send. */
function warningsOf({ send, facts, isSolicitation }: Matter): string[] {
  const { national, state } = facts.contact.dnc
  const isUnlisted = isSolicitation && (national === undefined || state === undefined)
  const said = send.actor === 'ai' ? [] : (facts.content ?? []).map(({ code }) => code)
  return [...(isUnlisted ? ['dnc_list_not_configured'] : []), ...new Set(said)]
}

/** How long a clearance is valid. A judged message must be sent at once, or judged again. */
const clearanceMs = 5000

declare const content: unique symbol

/**
 * A message that has passed all gates. Only `judge` creates one, and `open` opens it once, before it expires. A cast, a copy, a second
 * use, or a late use never reaches a provider.
 */
export interface Cleared<M> {
  readonly [content]: M
  /** When the hours in which it may arrive end, for providers that queue. Epoch milliseconds; Infinity if any hour is allowed. */
  readonly validUntil: number
}

const unopened = new WeakMap<object, { message: unknown; expiresAt: number }>()

function clear<M>(message: M, expiresAt: number, validUntil: number): Cleared<M> {
  const cleared = Object.freeze({ validUntil }) as Cleared<M>
  unopened.set(cleared, { message, expiresAt })
  return cleared
}

/** An attempt to send something that has not passed the gates, or not recently. Indicates a bug in the sending code. */
export class NotCleared extends Error {
  override name = 'NotCleared'
}

/** Returns the message, for a port to send now. Throws `NotCleared` if it was not cleared, was opened before, or has expired. */
export function open<M>(cleared: Cleared<M>, now: Date): M {
  const held = unopened.get(cleared)
  if (held === undefined) throw new NotCleared('It was not cleared, or it has been opened before.')
  unopened.delete(cleared)
  if (now.getTime() >= held.expiresAt) throw new NotCleared('Its clearance has expired.')
  return held.message as M
}
