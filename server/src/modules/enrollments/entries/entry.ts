import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

/** Why a contact does not enter, in the order of the checks. */
export const obstacles = [
  'disabled',
  'erased',
  'trash',
  'condition',
  'loop',
  'depth',
  'active',
  're_enrollment',
  'group',
  'cap',
] as const

export const entryOutcomes = ['entered', ...obstacles] as const

const meanings =
  '`disabled`: the automation is disabled; `erased`, `trash`: the contact has been erased or is in that stage; `condition`: no trigger has conditions that hold; `loop`: the automation itself caused the event; `depth`: a chain of more than 5 automations caused it; `active`: the contact is already enrolled; `re_enrollment`: the contact was enrolled before, and may not be enrolled again yet; `group`: the contact is enrolled in another automation of its group; `cap`: triggers have enrolled the contact 10 times within a day.'

const Outcome = Type.Enum(entryOutcomes, {
  title: 'EntryOutcome',
  description: `\`entered\`, or why the contact was not enrolled. ${meanings}`,
})
export const Obstacle = Type.Enum([...obstacles, 'no_trigger'], {
  title: 'EntryObstacle',
  description: `\`no_trigger\`: the automation has no triggers. ${meanings}`,
})

export const FailingConditions = Type.Array(
  Type.Object({
    field: Type.String(),
    operator: Type.String(),
    expected: Type.Unknown(),
    actual: masked(
      'hidden',
      Type.Unknown({ description: 'Null if there is no value, and without `contacts:read:pii`.' }),
    ),
    negated: Type.Optional(
      Type.Literal(true, {
        description: 'The condition holds, but the trigger requires that it does not hold.',
      }),
    ),
  }),
  { description: 'The tests that make the conditions fail.' },
)

const FailedTrigger = Type.Object({
  index: Type.Integer({ description: 'The position of the trigger in the list, counted from 0.' }),
  failing_conditions: FailingConditions,
})

const example = {
  id: 'cmi8hc2x50009p4k7w1r6t8y2',
  automation_id: 'cmi8g5r8h0001n4t6w2q9y3k7',
  version: 3,
  contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
  event: 'lead.created',
  event_id: 'cmi8h3b7q0003a1s4d7f9g2h5',
  outcome: 'condition' as const,
  triggers: [
    {
      index: 0,
      failing_conditions: [{ field: 'lead.price', operator: 'gte', expected: 400_000, actual: 350_000 }],
    },
  ],
  enrollment_id: null,
  created_at: '2026-11-20T20:11:04.817Z',
}

/** The outcome of an event, or of another automation's step, that could have enrolled a contact. */
export const AutomationEntry = Type.Object(
  {
    id: Type.String(),
    automation_id: Type.String(),
    version: Type.Integer({ description: 'The version that was published at that time.' }),
    contact_id: Type.String(),
    event: nullable(
      Type.String({
        description: 'The event. Null if a step of another automation was to enroll the contact.',
      }),
    ),
    event_id: nullable(Type.String()),
    outcome: Outcome,
    triggers: Type.Array(FailedTrigger, {
      description: 'With `condition`: the triggers for this event, with the tests that failed.',
    }),
    enrollment_id: nullable(
      Type.String({ description: 'The enrollment that started, or that prevents a new one.' }),
    ),
    created_at: Timestamp,
  },
  { title: 'AutomationEntry', examples: [example] },
)
export type AutomationEntry = Static<typeof AutomationEntry>
