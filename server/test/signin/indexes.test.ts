import { expect, test } from 'vitest'
import type { Statement } from '#kernel/db/burst.ts'
import { type Queries, queries as queriesOf } from '#kernel/db/rows.ts'
import { findPasskey } from '../../src/modules/signin/passkey-queries.ts'
import { findPersonByEmail } from '../../src/modules/signin/people-queries.ts'
import { deleteSessions, findVisit } from '../../src/modules/signin/session-queries.ts'
import { findStep } from '../../src/modules/signin/step-queries.ts'
import { asOwner, workerDatabase } from '../support/database.ts'

/** The statement that a question asks. */
async function statementOf(ask: (queries: Queries) => Promise<unknown>): Promise<Statement> {
  const asked: Statement[] = []
  await ask(
    queriesOf(async (statement) => {
      asked.push(statement)
      return { rows: [], count: 0, command: '' }
    }, false),
  )
  const [statement] = asked
  if (statement === undefined) throw new Error('Nothing was asked.')
  return statement
}

test.each([
  ['a session', 'sessions_pkey', (queries: Queries) => findVisit(queries, Buffer.alloc(32), new Date(0))],
  ['a person', 'people_email', (queries: Queries) => findPersonByEmail(queries, 'ada@lantern.example')],
  ['the sessions of a person', 'sessions_person', (queries: Queries) => deleteSessions(queries, 'x', null)],
  ['a passkey', 'passkeys_pkey', (queries: Queries) => findPasskey(queries, 'x')],
  [
    'a step',
    'sign_in_steps_pkey',
    (queries: Queries) => findStep(queries, Buffer.alloc(32), 'x', new Date(0)),
  ],
] as const)('%s is found by index', async (_, index, ask) => {
  const { text, values } = await statementOf(ask)
  const url = new URL(await workerDatabase())
  url.searchParams.set('options', '-c role=gable_app -c enable_seqscan=off -c enable_bitmapscan=off')
  const rows = await asOwner<{ 'QUERY PLAN': string }>(url.href, `explain ${text}`, [...values])
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`Index Scan using ${index}`)
})
