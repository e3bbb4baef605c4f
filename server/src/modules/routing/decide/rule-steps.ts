import type { RoutingMethod, Rule } from '../rules/rule.ts'
import {
  type RuleChoice,
  type Chosen,
  type NoneChosen,
  chooseByMethod,
  chooseMember,
} from './choose-agent.ts'
import type { Agent, Candidate } from './decision.ts'

type Step = { method: RoutingMethod } | { member_id: string }

/** A rule's method, followed by its fallbacks. */
const stepsOf = ({ method, fallback }: Rule): Step[] => [{ method }, ...fallback]

/** The result of trying a rule's steps. */
export interface StepsResult {
  /** The step that found an agent, or the last one. */
  step: number
  chosen: Chosen | undefined
  /** The candidates of the last step that was tried. */
  candidates: Candidate[]
  /** Steps that found no agent or whose offer was not claimed, with the reason: `round_robin: no eligible member`. */
  passed: string[]
}

/**
 * Tries a rule's steps in order, starting at `first`. If `first` is not 0, the step before it made an offer that was not claimed. With
 * `sticky.existing_owner`, a full run tries the contact's owner first.
 */
export function trySteps(
  first: number,
  choice: RuleChoice,
  agents: readonly Agent[],
  owner_id: string | null,
): StepsResult {
  const { rule } = choice
  const steps = stepsOf(rule)
  const offer = steps[first - 1]
  const passed = offer === undefined ? [] : [`${nameOf(offer)}: not claimed`]
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
  choice: RuleChoice,
  agents: readonly Agent[],
  owner_id: string | null,
): Chosen | NoneChosen {
  const agentOf = (id: string | null) => agents.find((agent) => agent.id === id)
  if ('member_id' in step) return chooseMember('direct', agentOf(step.member_id), choice)
  if (step.method === 'direct') return chooseMember('direct', choice.pool[0], choice)
  if (step.method === 'sticky') return chooseMember('sticky', agentOf(owner_id), choice)
  return chooseByMethod(step.method, choice)
}
