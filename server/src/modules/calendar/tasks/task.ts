import { type Static, Type } from 'typebox'
import { extendRecord } from '#kernel/records/extend.ts'
import {
  type RowOf,
  createdBy,
  defaulted,
  deletedAt,
  freeText,
  optional,
  patchOnly,
  readOnly,
  reference,
  required,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable, oneLine } from '#kernel/schemas.ts'

export const taskTypes = ['call', 'text', 'email', 'follow_up', 'showing', 'closing', 'other'] as const
export const taskPriorities = ['low', 'normal', 'high'] as const
export const taskStatuses = ['open', 'completed', 'cancelled'] as const

export const taskFields = {
  title: required({ ...freeText(200, 'What to do.'), minLength: 1, pattern: oneLine }),
  description: optional(freeText(5000)),
  type: defaulted(
    Type.Enum(taskTypes, { title: 'TaskType', description: 'More values may be added.' }),
    'follow_up',
  ),
  status: patchOnly(Type.Enum(taskStatuses), 'open'),
  priority: defaulted(Type.Enum(taskPriorities), 'normal'),
  due_at: optional(Timestamp),
  assignee_id: optional(
    reference(
      'member',
      'The member who has to do the task. By default the member who creates it, or else the owner of the contact.',
    ),
  ),
  contact_id: optional(reference('contact', 'The contact that the task is about.')),
  deal_id: optional(reference('deal', 'The deal of the task.')),
  completed_at: readOnly(nullable(Timestamp), null),
  created_by: createdBy(),
  deleted_at: deletedAt(),
}

export const tasks = defineRecord('Task', {
  fields: taskFields,
  example: {
    title: 'Call Ada about the inspection',
    type: 'call',
    due_at: '2026-11-24T16:00:00.000Z',
  },
  patchExample: { priority: 'high' },
  shownExample: {
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    assignee_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    created_by: { type: 'member', id: 'cmi8h2k5p0000y7w2d5g8j1m4' },
  },
})
export type Task = RowOf<typeof taskFields>
export type TaskDraft = Static<typeof tasks.Draft>
export type TaskPatch = Static<typeof tasks.Patch>

/** The response to creating a task. */
export const CreatedTask = extendRecord(
  'CreatedTask',
  tasks,
  {
    created: Type.Boolean({
      description: 'False if an identical task was created within the last 60 seconds. This is that task.',
    }),
  },
  { created: true },
)

/** What a task contains after its contact is erased. */
export const erasedTask = { title: 'Erased', description: null } satisfies Partial<Task>
