import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Removal } from '#kernel/schemas.ts'
import { createTask } from './create-task.ts'
import { deleteTask, restoreTask } from './delete-task.ts'
import { findTask, listTasks, taskFilters } from './queries.ts'
import { CreatedTask, type Task, tasks } from './task.ts'
import { completeTask, updateTask } from './update-task.ts'

const rejected =
  '`contact_erased`: the contact that the body names has been erased; `member_inactive`: the assignee is inactive.'

export const getTasks = listEndpoint('GET /tasks', {
  scope: 'appointments:read',
  summary: 'List tasks',
  description: 'Newest first. Omits deleted tasks.',
  item: tasks.Record,
  filters: taskFilters,
  rows: (ctx, { query, page }) => listTasks(ctx.searches(), query, page, ctx.clock.now()),
  present: (task) => shown(task),
})

export const getTaskCount = countEndpoint(getTasks)

export const postTask = endpoint('POST /tasks', {
  scope: 'appointments:write',
  summary: 'Create a task',
  description:
    'If an identical task was created within the last 60 seconds, the response is that task, with status 200 and `created` set to false.',
  body: tasks.Draft,
  responses: { 200: CreatedTask, 201: CreatedTask },
  fields: true,
  errors: { 409: rejected },
  handle: async (ctx, { body }) => {
    const { task, ...rest } = await createTask(ctx, body)
    const response = { ...shown(task), ...rest }
    return rest.created ? created(response) : ok(response)
  },
})

export const getTask = endpoint('GET /tasks/{id}', {
  scope: 'appointments:read',
  summary: 'Retrieve a task',
  description: 'Completed tasks are included. Deleted tasks are a 404 until they are restored.',
  responses: { 200: tasks.Record },
  handle: async (ctx, { params }) => ok(shown(orNotFound(await findTask(ctx.db, params.id)))),
})

export const patchTask = endpoint('PATCH /tasks/{id}', {
  scope: 'appointments:write',
  summary: 'Update a task',
  description: 'To make sure that you do not overwrite a change that you have not seen, send `If-Match`.',
  body: tasks.Patch,
  responses: { 200: tasks.Record },
  errors: { 409: rejected },
  handle: async (ctx, { params, body }) => ok(shown(await updateTask(ctx, params.id, body))),
})

export const completeTaskEndpoint = endpoint('POST /tasks/{id}/complete', {
  scope: 'appointments:write',
  summary: 'Complete a task',
  description: 'A completed task stays unchanged.',
  responses: { 200: tasks.Record },
  handle: async (ctx, { params }) => ok(shown(await completeTask(ctx, params.id))),
})

export const deleteTaskEndpoint = endpoint('DELETE /tasks/{id}', {
  scope: 'appointments:write',
  summary: 'Delete a task',
  description: 'You can restore it for 30 days.',
  responses: { 200: Removal },
  handle: async (ctx, { params }) => ok(await deleteTask(ctx, params.id)),
})

export const restoreTaskEndpoint = endpoint('POST /tasks/{id}/restore', {
  scope: 'appointments:write',
  summary: 'Restore a deleted task',
  description: 'The task comes back as it was when it was deleted.',
  responses: { 200: tasks.Record },
  handle: async (ctx, { params }) => ok(shown(await restoreTask(ctx, params.id))),
})

const shown = ({ deleted_at: _, ...task }: Task) => task
