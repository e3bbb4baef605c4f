import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import type { Definition } from '../automations/definition/definition.ts'
import type { AutomationStep } from '../automations/definition/step-types.ts'
import { listsIn } from '../automations/definition/tree.ts'
import { type Move, type StepReply, advance, beginning } from './advance.ts'

let keys = 0
const key = () => `k${keys++}`
const always = { all: [] }

const leaf: fc.Arbitrary<AutomationStep> = fc.oneof(
  fc.constant(null).map(() => ({ key: key(), type: 'tag' as const, tag: 'vip' })),
  fc.integer({ min: 0, max: 3 }).map((days) => ({ key: key(), type: 'wait' as const, for: { days } })),
)

/** Trees of steps with unique keys. */
const { steps: trees } = fc.letrec<{ steps: AutomationStep[]; step: AutomationStep }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 4 }),
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(tie('steps'), tie('steps')).map(([one, other]) => ({
      key: key(),
      type: 'branch' as const,
      branches: [{ conditions: always, steps: one }],
      else: other,
    })),
    fc.tuple(tie('steps'), tie('steps')).map(([one, other]) => ({
      key: key(),
      type: 'wait_for' as const,
      events: [{ event: 'contact.updated', steps: one }],
      timeout: { days: 1 },
      on_timeout: other,
    })),
  ),
}))

/** The steps that a contact takes, by a model that tracks no position: it recurses into the branches instead. */
function course(steps: readonly AutomationStep[], first: (key: string) => boolean): AutomationStep[] {
  return steps.flatMap((step) => {
    const [one = [], other = []] = listsIn(step)
    return [step, ...course(first(step.key) ? one : other, first)]
  })
}

test('a contact takes the same steps as in the model, no wait ends early, and every run ends', () => {
  fc.assert(
    fc.property(
      trees,
      fc.func(fc.boolean()),
      fc.integer({ min: 1, max: 3_600_000 }),
      (steps, choose, lateMs) => {
        const definition: Definition = { steps }
        const first = (of: string) => choose(of)
        const expected = course(steps, first).map((step) => step.key)
        const seen: string[] = []
        let state = beginning(definition)
        let now = 0
        let reply: StepReply | undefined
        for (let move: Move | undefined; move?.kind !== 'end';) {
          const before = state.at
          const next = advance(definition, state, reply, now)
          if (next.ended !== undefined) seen.push(next.ended)
          reply = undefined
          ;({ state, move } = next)
          if (move.kind === 'wait') {
            expect(move.until).toBeGreaterThanOrEqual(now)
            const early = advance(definition, state, undefined, move.until - 1)
            if (move.until > now) expect(early.move).toEqual(move)
            now = move.until + lateMs
          }
          if (move.kind !== 'ask') continue
          const { step } = move
          seen.push(step.key)
          const [one = [], other = []] = listsIn(step)
          const chosen = first(step.key) ? one : other
          reply =
            listsIn(step).length > 0 ? { kind: 'branch', steps: chosen[0]?.key ?? null } : { kind: 'done' }
          expect(before === null).toBe(false)
        }
        expect(seen).toEqual(expected)
      },
    ),
    { numRuns: 500 },
  )
})

test('a step is retried at its retry time, and no earlier', () => {
  const definition: Definition = { steps: [{ key: 'a', type: 'send', channel: 'sms', body: 'Hi' }] }
  const asked = advance(definition, beginning(definition), undefined, 0)
  expect(asked.move).toEqual({ kind: 'ask', step: orNotFound(definition.steps[0]) })
  const { state, move } = advance(definition, asked.state, { kind: 'retry', at: 500 }, 0)
  expect(move).toEqual({ kind: 'wait', until: 500 })
  expect(advance(definition, state, undefined, 499).move).toEqual({ kind: 'wait', until: 500 })
  expect(advance(definition, state, undefined, 500).move).toEqual(asked.move)
})
