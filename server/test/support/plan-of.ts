import type { Db, DirectoryDb } from '#kernel/db/handles.ts'
import type { Statement } from '#kernel/db/pipeline-batch.ts'
import { queries } from '#kernel/db/rows.ts'
import { asOwner, freshDatabase } from './database.ts'

/** The plan that PostgreSQL makes for a query, by index as far as possible, without statistics about the tables. */
export async function planOf(ask: (db: DirectoryDb & Db) => Promise<unknown>): Promise<string> {
  const asked: Statement[] = []
  const execute = async (statement: Statement) => {
    asked.push(statement)
    return { rows: [], count: 0, command: '' }
  }
  await ask({ ...queries(execute, false), directory: true, workspaceId: 'w', reach: 'all' } as never)
  const [statement] = asked
  if (statement === undefined) throw new Error('Nothing was asked.')
  // In a separate database: rows that other tests write, and statistics that autovacuum collects, would change the
  // plan.
  const url = new URL(await freshDatabase('plans'))
  url.searchParams.set('options', '-c role=gable_app -c enable_seqscan=off -c enable_bitmapscan=off')
  const rows = await asOwner<{ 'QUERY PLAN': string }>(url.href, `explain ${statement.text}`, [
    ...statement.values,
  ])
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
