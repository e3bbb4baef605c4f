import type { Queries } from '#kernel/db/rows.ts'
import { newId } from '#kernel/ids.ts'
import { requireText } from './names.ts'
import { type WorkspaceRow, insertWorkspace } from './queries.ts'

/** Creates an empty workspace. `name`: 1 to 120 characters. */
export async function createWorkspace(directory: Queries, name: string, now: Date): Promise<WorkspaceRow> {
  requireText('name', name, 120)
  const row = { id: newId(now), name, created_at: now.toISOString(), updated_at: now.toISOString() }
  await insertWorkspace(directory, row)
  return row
}
