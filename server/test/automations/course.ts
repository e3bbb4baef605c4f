import type { Definition } from '../../src/modules/automations/definition/definition.ts'
import type { AutomationStep } from '../../src/modules/automations/definition/step-types.ts'

/** The lists of steps that a step chooses from. The last one is for when nothing else applies. */
function listsOf(step: AutomationStep): AutomationStep[][] {
  if (step.type === 'branch') return [...step.branches.map(({ steps }) => steps), step.else ?? []]
  if (step.type === 'wait_for') return [...step.events.map(({ steps = [] }) => steps), step.on_timeout ?? []]
  return []
}

/** The steps still ahead of an enrollment, as lists; the innermost list is last. */
type Ahead = AutomationStep[][]

/** The course that an enrollment must take through its version, modeled independently of the product's own traversal. */
export interface Course {
  definition: Definition
  /** The step that must be recorded next; undefined at the end. */
  next(): AutomationStep | undefined
  /** The step that was recorded last. */
  last(): AutomationStep | undefined
  /** Marks the next step as recorded. `branch`: the index of the chosen branch, from 0, or the number of branches for `else`. */
  pass(branch?: number): void
}

export function courseOf(definition: Definition, ahead: Ahead = [[...definition.steps]]): Course {
  let last: AutomationStep | undefined
  const settle = () => {
    while (ahead.length > 0 && ahead.at(-1)?.length === 0) ahead.pop()
  }
  settle()
  return {
    definition,
    next: () => ahead.at(-1)?.[0],
    last: () => last,
    pass(branch) {
      const step = ahead.at(-1)?.shift()
      last = step
      if (step !== undefined && branch !== undefined) ahead.push([...(listsOf(step)[branch] ?? [])])
      settle()
    },
  }
}

/** The course of an enrollment that moves to another version at a step. */
export const courseFrom = (definition: Definition, key: string | null): Course =>
  courseOf(definition, key === null ? [] : (aheadFrom(definition.steps, key) ?? []))

function aheadFrom(list: readonly AutomationStep[], key: string): Ahead | undefined {
  for (const [at, step] of list.entries()) {
    if (step.key === key) return [list.slice(at)]
    for (const inner of listsOf(step)) {
      const ahead = aheadFrom(inner, key)
      if (ahead !== undefined) return [list.slice(at + 1), ...ahead]
    }
  }
  return undefined
}
