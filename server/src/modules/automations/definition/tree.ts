import type { Definition } from './definition.ts'
import type { AutomationStep } from './step-types.ts'

/** The lists of steps inside a step, with their paths. A step that is being checked may lack its lists. */
function placedListsIn(step: AutomationStep): [at: string, AutomationStep[]][] {
  if (step.type === 'branch')
    return [
      ...(step.branches ?? []).map(({ steps = [] }, i): [string, AutomationStep[]] => [
        `branches.${i}.steps`,
        steps,
      ]),
      ['else', step.else ?? []],
    ]
  if (step.type === 'wait_for')
    return [
      ...(step.events ?? []).map(({ steps = [] }, i): [string, AutomationStep[]] => [
        `events.${i}.steps`,
        steps,
      ]),
      ['on_timeout', step.on_timeout ?? []],
    ]
  return []
}

export const listsIn = (step: AutomationStep): AutomationStep[][] =>
  placedListsIn(step).map(([, list]) => list)

/** Every step of a tree, each before the steps inside it. */
export function* stepsIn(steps: readonly AutomationStep[]): Generator<AutomationStep> {
  for (const step of steps) {
    yield step
    for (const list of listsIn(step)) yield* stepsIn(list)
  }
}

export const stepOf = ({ steps }: Definition, key: string): AutomationStep | undefined =>
  stepsIn(steps).find((step) => step.key === key)

/** The key of the step after this one: the next in its list, or else the step after the branch that it is in. Null at the end. */
export function nextAfter(
  steps: readonly AutomationStep[],
  key: string,
  after: string | null = null,
): string | null {
  for (const [i, step] of steps.entries()) {
    const following = steps[i + 1]?.key ?? after
    if (step.key === key) return following
    for (const list of listsIn(step))
      if (stepsIn(list).some((one) => one.key === key)) return nextAfter(list, key, following)
  }
  return null
}

/** Every step with its path. */
export function* placedSteps(
  steps: readonly AutomationStep[],
  at: string,
): Generator<[AutomationStep, string]> {
  for (const [i, step] of steps.entries()) {
    yield [step, `${at}.${i}`]
    for (const [inside, list] of placedListsIn(step)) yield* placedSteps(list, `${at}.${i}.${inside}`)
  }
}
