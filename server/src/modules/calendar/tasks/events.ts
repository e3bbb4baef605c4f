import { Type } from 'typebox'
import { ChangeSchema, type Change, auditEvent, event } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { tasks } from './task.ts'

const { data, example } = tasks.part([
  'id',
  'contact_id',
  'assignee_id',
  'deal_id',
  'type',
  'priority',
  'due_at',
  'title',
])
const { title, ...properties } = data.properties
const task = { ...properties, title: Type.Optional(title) }

const about = {
  subject: 'task',
  personal: ['title'],
  timelineOf: ({ contact_id }: { contact_id: string | null }) => contact_id,
} as const

const titled = (what: string, name: string | undefined) => (name === undefined ? what : `${what}: ${name}`)

export const TaskCreated = event('task.created', {
  ...about,
  scope: 'appointments:read',
  summary: 'A task was created',
  data: Type.Object(task),
  example,
  entry: (of) => ({ type: 'task', title: titled('Task created', of.title) }),
})

export const TaskCompleted = event('task.completed', {
  ...about,
  scope: 'appointments:read',
  summary: 'A task was completed',
  data: Type.Object(task),
  example,
  entry: (of) => ({ type: 'task', title: titled('Task completed', of.title) }),
})

export const TaskUpdated = event('task.updated', {
  ...about,
  scope: null,
  summary: 'A task was changed',
  data: Type.Object({
    id: properties.id,
    contact_id: properties.contact_id,
    changes: Type.Optional(masked('text', Type.Array(ChangeSchema))),
  }),
  personal: ['changes'],
  example: {
    id: example.id,
    contact_id: example.contact_id,
    changes: [{ field: 'priority', from: 'normal', to: 'high' }],
  },
  entry: ({ changes }) => ({
    type: 'task',
    title: 'Task changed',
    ...(changes === undefined ? {} : { changes: changes as Change[] }),
  }),
})

const Id = Type.Object({ id: Type.String() })

export const TaskDeleted = auditEvent('task.deleted', 'task', 'A task was deleted', Id, { id: example.id })

export const TaskRestored = auditEvent('task.restored', 'task', 'A task was restored', Id, { id: example.id })
