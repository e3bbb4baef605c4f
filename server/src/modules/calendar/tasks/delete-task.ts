import type { Ctx } from '#kernel/context.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { TaskDeleted, TaskRestored } from './events.ts'
import { lockTask, saveTask } from './queries.ts'
import type { Task } from './task.ts'
import { lockPresent } from './update-task.ts'

/** How long a deleted task can be restored. */
const restorableMs = 30 * 24 * 3_600_000

/** Soft-deletes a task; see `restoreTask`. */
export const deleteTask = (ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> =>
  ctx.transaction(async (tx) => {
    const { updated_at } = (await lockPresent(tx, id)).task
    const now = ctx.clock.now()
    saveTask(tx, id, { deleted_at: now.toISOString(), updated_at: timeAfter(updated_at, now) })
    await tx.emit(TaskDeleted, { id })
    return { id, deleted: true as const }
  })

/**
 * Restores a task that was deleted within the last 30 days; 404 after that. A task that is not deleted stays as it is.
 */
export const restoreTask = (ctx: Ctx, id: string): Promise<Task> =>
  ctx.transaction(async (tx) => {
    const task = orNotFound(await lockTask(tx, id))
    if (task.deleted_at === null) return task
    const now = ctx.clock.now()
    if (Date.parse(task.deleted_at) + restorableMs < now.getTime()) throw NotFound()
    const changed = { deleted_at: null, updated_at: timeAfter(task.updated_at, now) }
    saveTask(tx, id, changed)
    await tx.emit(TaskRestored, { id })
    return { ...task, ...changed }
  })
