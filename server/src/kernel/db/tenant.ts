import type { Db, Reach } from './handles.ts'
import type { Statement } from './pipeline-batch.ts'
import type { Pipelined } from './pipelined.ts'
import { queries } from './rows.ts'
import { sql } from './sql.ts'

/**
 * Sets the workspace for row-level security, and the reach if it is limited, until the current transaction ends, so
 * that nothing is left on a shared connection. No other code sets them for reads.
 */
export function setTenant(workspaceId: string, reach: Reach): Statement {
  if (workspaceId === '') throw new Error('There is no workspace. Use the directory for tables without one.')
  return reach === 'all'
    ? sql`select set_config('gable.workspace_id', ${workspaceId}, true)`
    : sql`select set_config('gable.workspace_id', ${workspaceId}, true), set_config('gable.reach', ${reachSetting(reach)}, true)`
}

/** The role that runs statements with a limited reach. It is subject to row-level security by member. */
export const memberRole = 'gable_member'

/** The role that runs all other statements. It owns nothing and is subject to row-level security by workspace. */
export const appRole = 'gable_app'

/** Changes the reach, and with it the role, for the rest of the transaction. */
export const setReach = (reach: Reach): Statement =>
  sql`select set_config('role', ${reach === 'all' ? appRole : memberRole}, true), set_config('gable.reach', ${reachSetting(reach)}, true)`

/** Reads one workspace. The tenant setting and the query go out under one Sync. */
export function tenantDb(connection: Pipelined, workspaceId: string, reach: Reach, checked: boolean): Db {
  const execute = (statement: Statement) => connection.send([setTenant(workspaceId, reach), statement])
  return { ...queries(execute, checked), workspaceId, reach }
}

/** The value of the setting `gable.reach`. */
export const reachSetting = (reach: Reach): string => {
  if (reach === 'all') return 'all'
  return reach.length === 0 ? 'none' : reach.join(',')
}
