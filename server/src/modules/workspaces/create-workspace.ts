import { type Runtime, createContext } from '#kernel/context.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { newId } from '#kernel/ids.ts'
import { WorkspaceCreated } from './events.ts'
import { requireText } from './names.ts'
import { type WorkspaceRow, insertWorkspace } from './queries.ts'

/** Creates an empty workspace. `name`: 1 to 120 characters. */
export async function createWorkspace(runtime: Runtime, name: string, actor: Actor): Promise<WorkspaceRow> {
  requireText('name', name, 120)
  const now = runtime.clock.now()
  const row = { id: newId(now), name, created_at: now.toISOString(), updated_at: now.toISOString() }
  const ctx = createContext(runtime, { workspaceId: row.id, actor, scopes: new Set() })
  await ctx.transaction(async (tx) => {
    await insertWorkspace(tx, row)
    await tx.emit(WorkspaceCreated, { id: row.id })
  })
  return row
}
