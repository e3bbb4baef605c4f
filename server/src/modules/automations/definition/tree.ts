import type { Definition, Step } from './definition.ts'

/** The lists of steps inside a step. */
export const listsIn = (step: Step): Step[][] =>
  step.type === 'branch' ? [...step.branches.map(({ steps }) => steps), step.else ?? []] : []

/** Every step of a tree, each before those inside it. */
export function* stepsIn(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step
    for (const list of listsIn(step)) yield* stepsIn(list)
  }
}

export const stepOf = ({ steps }: Definition, key: string): Step | undefined =>
  stepsIn(steps).find((step) => step.key === key)

/** The step after this one: the next in its list, or else what follows the branch that it is in. Null at the end. */
export function nextAfter(steps: readonly Step[], key: string, after: string | null = null): string | null {
  for (const [i, step] of steps.entries()) {
    const following = steps[i + 1]?.key ?? after
    if (step.key === key) return following
    for (const list of listsIn(step))
      if (stepsIn(list).some((one) => one.key === key)) return nextAfter(list, key, following)
  }
  return null
}
