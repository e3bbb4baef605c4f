import { Type } from 'typebox'
import { type RowOf, createdBy, internal, readOnly } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

const changeActions = ['pause', 'resume', 'cancel', 'migrate'] as const
export const changeStatuses = ['running', 'done', 'replaced'] as const

/** Of the enrollments that a change leaves as they are, so many are listed. */
export const mostLeftOut = 100

const LeftOut = Type.Object({
  enrollment_id: Type.String(),
  reason: Type.String({
    description:
      '`step_missing`: the version has no step with the key of theirs; `step_differs`: it has another kind of step there; `group`: the contact is in another automation of its exclusive group; `error`: it could not be changed.',
  }),
})

const fields = {
  automation_id: readOnly(Type.String(), ''),
  action: readOnly(Type.Enum(changeActions, { description: 'What becomes of the enrollments.' }), 'pause'),
  version: readOnly(
    nullable(Type.Integer({ description: 'Of a migration: the version to which they move.' })),
    null,
  ),
  status: readOnly(
    Type.Enum(changeStatuses, {
      description: '`replaced`: the automation was enabled or disabled otherwise before it was done.',
    }),
    'running',
  ),
  total: readOnly(Type.Integer({ description: 'How many enrollments it concerned when it began.' }), 0),
  changed: readOnly(Type.Integer({ description: 'How many it has changed.' }), 0),
  unchanged: readOnly(Type.Integer({ description: 'How many it has left as they are.' }), 0),
  left_out: readOnly(
    Type.Array(LeftOut, {
      description: 'Those that it has left as they are, at most 100, and of these the ones in reach.',
    }),
    [],
  ),
  after: internal(Type.String(), ''),
  created_by: createdBy(),
  ended_at: readOnly(nullable(Timestamp), null),
}

/** A change of many enrollments of an automation, which the engine makes in batches. */
export const changeRecord = defineRecord('AutomationChange', {
  fields,
  example: {},
  patchExample: {},
  shownExample: {
    automation_id: 'cmi8g5r8h0001n4t6w2q9y3k7',
    action: 'migrate',
    version: 3,
    total: 120,
    changed: 50,
  },
})
export type AutomationChange = RowOf<typeof fields>
