import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { WorkspaceUpdated } from './events.ts'
import { lockWorkspace, saveWorkspace } from './queries.ts'
import { type WorkspacePatch, type WorkspaceRow, workspaceRecord } from './workspace.ts'

/** Changes the workspace's name, time zone, or currency. Existing records keep their currency and times. */
export const updateWorkspace = (ctx: Ctx, patch: WorkspacePatch): Promise<WorkspaceRow> =>
  ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, orNotFound(await lockWorkspace(tx, tx.workspaceId)))
    const patched = workspaceRecord.applyPatch(before, patch, tx.clock.now())
    if (patched === undefined) return before
    saveWorkspace(tx, tx.workspaceId, patched.changed)
    const changes = changesOf(workspaceRecord, ['name', 'timezone', 'currency'], before, patched.after)
    await tx.emit(WorkspaceUpdated, { id: tx.workspaceId, changes })
    return patched.after
  })
