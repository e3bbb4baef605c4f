import type { AutomationStep, Definition } from '../../src/modules/automations/definition/definition.ts'

/** The lists of steps among which a step chooses; the last one where nothing is chosen. */
function listsOf(step: AutomationStep): AutomationStep[][] {
  if (step.type === 'branch') return [...step.branches.map(({ steps }) => steps), step.else ?? []]
  if (step.type === 'wait_for') return [...step.events.map(({ steps = [] }) => steps), step.on_timeout ?? []]
  return []
}

/** What still lies before an enrollment: lists of steps, the innermost last. */
type Ahead = AutomationStep[][]

/** The course that an enrollment must take through its version, kept apart from how the product goes through it. */
export interface Course {
  definition: Definition
  /** The step that must be the next to be recorded; undefined at the end. */
  next(): AutomationStep | undefined
  /** The one that was recorded last. */
  last(): AutomationStep | undefined
  /** It has been recorded. `branch`: the number of the branch that was chosen, from 0, or its length for `else`. */
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

/** The course of one that comes to another version at a step. */
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
