import { Type } from 'typebox'
import { later } from '#kernel/clock.ts'
import { idPattern } from '#kernel/ids.ts'
import { SpanSchema, spanMs } from '#kernel/steps/span.ts'
import { fact, stepText, stepTypeFor } from '#kernel/steps/step-type.ts'
import type { Contact } from '../../contacts/public.ts'
import { activeMember } from '../../workspaces/public.ts'
import { createTask } from './create-task.ts'
import { taskPriorities, taskTypes } from './task.ts'

export const taskStep = stepTypeFor<Contact>()({
  type: 'task',
  members: {
    title: stepText(200),
    description: Type.Optional(stepText(5000)),
    task_type: Type.Optional(Type.Enum(taskTypes)),
    priority: Type.Optional(Type.Enum(taskPriorities)),
    due_in: Type.Optional(SpanSchema),
    assignee_id: Type.Optional(Type.String({ pattern: idPattern })),
  },
  literals: ['title', 'description'],
  references: { assignee_id: activeMember },
  async perform({ ctx, now, person }, { title, description, task_type, priority, due_in, assignee_id }) {
    const { task } = await createTask(ctx, {
      title,
      contact_id: person.id,
      ...(description !== undefined && { description }),
      ...(task_type !== undefined && { type: task_type }),
      ...(priority !== undefined && { priority }),
      ...(due_in !== undefined && { due_at: later(now, spanMs(due_in)).toISOString() }),
      ...(assignee_id !== undefined && { assignee_id }),
    })
    return { fact: fact('done', null, { task_id: task.id }) }
  },
  rehearse: async () => ({ fact: fact('done') }),
})
