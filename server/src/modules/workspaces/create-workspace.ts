import { type Runtime, createContext } from '#kernel/context.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { WorkspaceCreated } from './events.ts'
import { insertWorkspace } from './queries.ts'
import { type WorkspaceDraft, type WorkspaceRow, workspaceRecord } from './workspace.ts'

/** Creates an empty workspace. Throws `ValidationFailed`, also for an unknown time zone or currency. */
export async function createWorkspace(
  runtime: Runtime,
  draft: WorkspaceDraft | string,
  actor: Actor,
): Promise<WorkspaceRow> {
  const given = typeof draft === 'string' ? { name: draft } : draft
  validate(given)
  const row = workspaceRecord.create(given, runtime.clock.now())
  const ctx = createContext(runtime, { workspaceId: row.id, actor, scopes: new Set() })
  await ctx.transaction(async (tx) => {
    await insertWorkspace(tx, row)
    await tx.emit(WorkspaceCreated, { id: row.id })
  })
  return row
}

const validate = bodyValidator(workspaceRecord.Draft)
