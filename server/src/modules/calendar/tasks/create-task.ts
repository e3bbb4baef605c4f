import type { Ctx, Tx } from '#kernel/context.ts'
import { lockNamedForShare } from '../../contacts/public.ts'
import { creator, hostOf, requireActive, requireRecords } from '../members.ts'
import { TaskCreated } from './events.ts'
import { findKnown, insertUnlessKnown, lockFingerprint } from './queries.ts'
import { type Task, type TaskDraft, tasks } from './task.ts'

/** How long an identical task counts as a duplicate. */
const sameMs = 60_000

/**
 * Creates a task, or returns the identical one created within the last 60 seconds with any credential. Defaults are
 * part of the comparison. `created_at` is set before the lock is taken, so either of two concurrent tasks may be the
 * earlier one.
 */
export const createTask = (ctx: Ctx, draft: TaskDraft): Promise<{ task: Task; created: boolean }> =>
  ctx.transaction(async (tx) => {
    const named = draft.contact_id === undefined ? [] : [['contact_id', draft.contact_id] as const]
    const contacts = (await lockNamedForShare(tx, named))()
    if (draft.assignee_id !== undefined) await requireActive(tx, draft.assignee_id, 'assignee_id')
    await requireRecords(tx, draft)
    const assignee_id = draft.assignee_id ?? (await hostOf(ctx, tx, contacts.get(draft.contact_id ?? '')))
    const task = { ...tasks.create(draft, ctx.clock.now()), assignee_id, created_by: creator(ctx) }
    const fingerprint = fingerprintOf(tx, task)
    lockFingerprint(tx, fingerprint)
    const created = await insertUnlessKnown(tx, task, fingerprint, sameMs)
    if (!created) return { task: await findKnown(tx, task, fingerprint, sameMs), created }
    await tx.emit(TaskCreated, task)
    return { task, created }
  })

/** A keyed hash: without the key, no one can guess a task's content from its fingerprint. */
function fingerprintOf(tx: Tx, task: Task): string {
  const { id: _, created_at: __, updated_at: ___, created_by: ____, ...posted } = task
  return tx.keys.sign('tasks', JSON.stringify([tx.workspaceId, posted])).toString('base64url')
}
