import { Type } from 'typebox'
import { type RowOf, createdBy, internal, readOnly } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { changeActions } from '../../enrollments/public.ts'

export const changeStatuses = ['running', 'done', 'replaced'] as const

/** How many of the unchanged enrollments a change lists. */
export const mostLeftOut = 100

const LeftOut = Type.Object({
  enrollment_id: Type.String(),
  reason: Type.String({
    description:
      '`step_missing`: the version has no step with the key of the current step; `step_differs`: that step has another type there; `group`: the contact is enrolled in another automation of the exclusive group; `error`: the enrollment could not be changed.',
  }),
})

const fields = {
  automation_id: readOnly(Type.String(), ''),
  action: readOnly(
    Type.Enum(changeActions, {
      title: 'AutomationChangeAction',
      description: 'What happens to the enrollments.',
    }),
    'pause',
  ),
  version: readOnly(
    nullable(Type.Integer({ description: 'For a migration: the version to which the enrollments move.' })),
    null,
  ),
  status: readOnly(
    Type.Enum(changeStatuses, {
      description: '`replaced`: the automation was enabled or disabled again before this change finished.',
    }),
    'running',
  ),
  total: readOnly(
    Type.Integer({ description: 'How many enrollments the change applied to when it started.' }),
    0,
  ),
  changed: readOnly(Type.Integer({ description: 'How many enrollments it has changed.' }), 0),
  unchanged: readOnly(Type.Integer({ description: 'How many enrollments it left unchanged.' }), 0),
  left_out: readOnly(
    Type.Array(LeftOut, {
      description:
        'The enrollments that it left unchanged: at most 100, limited to contacts that you can access.',
    }),
    [],
  ),
  after: internal(Type.String(), ''),
  created_by: createdBy(),
  ended_at: readOnly(nullable(Timestamp), null),
}

/** A bulk change of an automation's enrollments, which the engine makes in batches. */
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
