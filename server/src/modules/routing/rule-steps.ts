import type { Agent } from './agent.ts'
import { type Choice, type Chosen, type NobodyChosen, chooseByMethod, chooseMember } from './choose-agent.ts'
import type { Candidate } from './decision.ts'
import type { Method, Rule } from './rule.ts'

type Step = { method: Method } | { member_id: string }

/** A rule's method, and then its fallbacks. */
const stepsOf = ({ method, fallback }: Rule): Step[] => [{ method }, ...fallback]

/** What came of trying a rule's steps. */
export interface Tried {
  /** The step that found somebody, otherwise the last one. */
  step: number
  chosen: Chosen | undefined
  /** Of the step that was tried last. */
  candidates: Candidate[]
  /** What came to nothing, and why: `round_robin: nobody eligible`. */
  passed: string[]
}

/**
 * Tries a rule's steps one after the other, from `first` on. The step before it, where there is one, made an offer that
 * nobody claimed. Where the rule says so, whoever has the contact already comes before all.
 */
export function trySteps(
  first: number,
  choice: Choice,
  agents: readonly Agent[],
  owner_id: string | null,
): Tried {
  const { rule } = choice
  const steps = stepsOf(rule)
  const offer = steps[first - 1]
  const passed = offer === undefined ? [] : [`${nameOf(offer)}: nobody claimed`]
  const ownerFirst = first === 0 && rule.sticky.existing_owner && owner_id !== null
  let candidates: Candidate[] = []
  for (const { step, way } of [
    ...(ownerFirst ? [{ step: 0, way: { method: 'sticky' } as const }] : []),
    ...steps.map((way, step) => ({ step, way })).slice(first),
  ]) {
    const tried = tryStep(way, choice, agents, owner_id)
    candidates = tried.candidates
    if (!('obstacle' in tried)) return { step, chosen: tried, candidates, passed }
    passed.push(`${nameOf(way)}: ${tried.obstacle}`)
  }
  return { step: Math.max(first, steps.length - 1), chosen: undefined, candidates, passed }
}

const nameOf = (step: Step): string => ('method' in step ? step.method : `member ${step.member_id}`)

function tryStep(
  step: Step,
  choice: Choice,
  agents: readonly Agent[],
  owner_id: string | null,
): Chosen | NobodyChosen {
  const agentOf = (id: string | null) => agents.find((agent) => agent.id === id)
  if ('member_id' in step) return chooseMember('direct', agentOf(step.member_id), choice)
  if (step.method === 'direct') return chooseMember('direct', choice.pool[0], choice)
  if (step.method === 'sticky') return chooseMember('sticky', agentOf(owner_id), choice)
  return chooseByMethod(step.method, choice)
}
