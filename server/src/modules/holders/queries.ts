import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'

const Row = Type.Object({
  step: Type.Enum(['points', 'messages', 'calls', 'done']),
  after: Type.String(),
  began_at: Type.String(),
})
export type HolderAssignment = Static<typeof Row>

/** How far a workspace's earlier rows have been assigned. Locks it: of several servers, one works in a workspace. */
export const findAssignment = (tx: Db) =>
  tx.maybeOne(Row)`
    select step, after, began_at from holder_assignments where workspace_id = ${tx.workspaceId} for update`

export const saveAssignment = (tx: WorkspaceTx, { step, after, began_at }: HolderAssignment): void =>
  tx.write`
    insert into holder_assignments (workspace_id, step, after, began_at)
    values (${tx.workspaceId}, ${step}, ${after}, ${began_at})
    on conflict (workspace_id) do update set step = excluded.step, after = excluded.after`
