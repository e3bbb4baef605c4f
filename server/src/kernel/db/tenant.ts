import { type Statement, lastOf } from './burst.ts'
import type { Pipelined } from './pipelined.ts'
import { type Queries, queries } from './rows.ts'
import { sql } from './sql.ts'

/** Reads of one workspace. Row-level security sees its id; the SQL names it all the same, for the planner and the reader. */
export interface Db extends Queries {
  readonly workspaceId: string
}

/** For the present transaction only, so that nothing is left on a connection that others share. */
export const setTenant = (workspaceId: string) =>
  sql`select set_config('gable.workspace_id', ${workspaceId}, true)`

/** A handle that carries the workspace: the setting and the query go out under one Sync. */
export function tenantDb(connection: Pipelined, workspaceId: string, checked: boolean): Db {
  const ask = async (statement: Statement) =>
    lastOf(await connection.send([setTenant(workspaceId), statement]))
  return { ...queries(ask, checked), workspaceId }
}
