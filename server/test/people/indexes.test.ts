import { expect, test } from 'vitest'
import type { DirectoryDb } from '#kernel/db/handles.ts'
import type { Statement } from '#kernel/db/pipeline-batch.ts'
import { queries } from '#kernel/db/rows.ts'
import { findPasskey } from '../../src/modules/people/passkeys/queries.ts'
import { findPersonByEmail } from '../../src/modules/people/queries.ts'
import { deleteSessions, findSession, findStep } from '../../src/modules/people/session-queries.ts'
import { asOwner, workerDatabase } from '../support/database.ts'

/** The statement that a question asks. */
async function statementOf(ask: (directory: DirectoryDb) => Promise<unknown>): Promise<Statement> {
  const asked: Statement[] = []
  const execute = async (statement: Statement) => {
    asked.push(statement)
    return { rows: [], count: 0, command: '' }
  }
  await ask({ ...queries(execute, false), directory: true })
  const [statement] = asked
  if (statement === undefined) throw new Error('Nothing was asked.')
  return statement
}

test.each([
  ['a session', 'sessions_pkey', (db: DirectoryDb) => findSession(db, Buffer.alloc(32), new Date(0))],
  ['a person', 'people_email', (db: DirectoryDb) => findPersonByEmail(db, 'ada@lantern.example')],
  ['the sessions of a person', 'sessions_person', (db: DirectoryDb) => deleteSessions(db, 'x', null)],
  ['a passkey', 'passkeys_pkey', (db: DirectoryDb) => findPasskey(db, 'x')],
  ['a step', 'sign_in_steps_pkey', (db: DirectoryDb) => findStep(db, Buffer.alloc(32), 'x', new Date(0))],
] as const)('%s is found by index', async (_, index, ask) => {
  const { text, values } = await statementOf(ask)
  const url = new URL(await workerDatabase())
  url.searchParams.set('options', '-c role=gable_app -c enable_seqscan=off -c enable_bitmapscan=off')
  const rows = await asOwner<{ 'QUERY PLAN': string }>(url.href, `explain ${text}`, [...values])
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`Index Scan using ${index}`)
})
