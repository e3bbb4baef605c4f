import type { AutomationStep, Definition } from '../../src/modules/automations/definition/definition.ts'

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

export function courseOf(definition: Definition): Course {
  const ahead: Ahead = [[...definition.steps]]
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
      if (step?.type === 'branch' && branch !== undefined)
        ahead.push([...(step.branches[branch]?.steps ?? step.else ?? [])])
      settle()
    },
  }
}
