import type { Ctx, Tx } from '#kernel/context.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { retainWithheld } from '#kernel/references.ts'
import {
  ContactErased,
  type NamedContacts,
  findContact,
  lockFurtherForShare,
  lockNamedForShare,
} from '../../contacts/public.ts'
import { requireActive, requireRecords } from '../members.ts'
import { TaskCompleted, TaskUpdated } from './events.ts'
import { findTask, lockTask, saveTask } from './queries.ts'
import { type Task, type TaskPatch, taskFields, tasks } from './task.ts'

/**
 * Applies the patch. Publishes `task.completed` if it completes the task, and `task.updated` for every other change.
 */
export const updateTask = (ctx: Ctx, id: string, patch: TaskPatch): Promise<Task> =>
  ctx.transaction(async (tx) => {
    const { contact_id, assignee_id } = patch
    const named = typeof contact_id === 'string' ? ([['contact_id', contact_id]] as const) : []
    const { task, requireContact } = await lockPresent(tx, id, named)
    const before = requireMatch(ctx, task)
    requireContact(contactsOf(before))
    if (typeof assignee_id === 'string' && assignee_id !== before.assignee_id)
      await requireActive(tx, assignee_id, 'assignee_id')
    await requireRecords(tx, patch, before)
    await requireNotErased(tx, before, patch)
    const kept = await retainWithheld(ctx, tx, { schema: tasks.Patch, patch, before })
    return changeTask(tx.unrestricted(), before, kept)
  })

/** Completes a task. An already completed task stays as it is. */
export const completeTask = (ctx: Ctx, id: string): Promise<Task> =>
  ctx.transaction(async (tx) =>
    changeTask(tx.unrestricted(), (await lockPresent(tx, id)).task, { status: 'completed' }),
  )

const contactsOf = ({ contact_id }: Task) => (contact_id === null ? [] : [contact_id])

/**
 * Locks the contacts first, both the task's own and those named in the body, and then the task. Returns the task and a
 * check of the named contacts. Throws 404 for a deleted task.
 */
export async function lockPresent(tx: Tx, id: string, named: NamedContacts = []) {
  const known = contactsOf(orNotFound(await findTask(tx, id)))
  const requireContact = await lockNamedForShare(tx, named, known)
  const task = await lockTask(tx, id)
  if (task?.deleted_at !== null) throw NotFound()
  await lockFurtherForShare(tx, known, contactsOf(task))
  return { task, requireContact }
}

/**
 * Fields that an erasure emptied must stay empty. Under the task's lock, an erasure has either committed and is visible
 * here, or has not started on this task.
 */
async function requireNotErased(tx: Tx, { contact_id }: Task, { title, description }: TaskPatch) {
  if (contact_id === null || (title ?? description ?? null) === null) return
  const contact = await findContact(tx.unrestricted(), contact_id)
  if (contact !== undefined && contact.erased_at !== null) throw ContactErased()
}

const { status: _, completed_at: __, created_by: ___, deleted_at: ____, ...details } = taskFields
const detailNames = Object.keys(details) as (keyof typeof details)[]

async function changeTask(tx: Tx, before: Task, patch: TaskPatch): Promise<Task> {
  const { status } = patch
  const isChanged = status !== undefined && status !== before.status
  const completed_at = status === 'completed' ? tx.clock.now().toISOString() : null
  const patched = tasks.applyPatch(before, isChanged ? { ...patch, completed_at } : patch, tx.clock.now())
  if (patched === undefined) return before
  const { after, changed } = patched
  saveTask(tx, after.id, changed)
  const isCompleted = isChanged && status === 'completed'
  const changes = changesOf(tasks, isCompleted ? detailNames : [...detailNames, 'status'], before, after)
  if (changes.length > 0) await tx.emit(TaskUpdated, { ...after, changes })
  if (isCompleted) await tx.emit(TaskCompleted, after)
  return after
}
