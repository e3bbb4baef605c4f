import { expect, test } from 'vitest'
import type { DirectoryDb } from '#kernel/db/handles.ts'
import { findPasskey } from '../../src/modules/people/passkeys/queries.ts'
import { findPersonByEmail } from '../../src/modules/people/queries.ts'
import { deleteSessions, findSession, findStep } from '../../src/modules/people/session-queries.ts'
import { planOf } from '../support/plan-of.ts'

test.each([
  ['a session', 'sessions_pkey', (db: DirectoryDb) => findSession(db, Buffer.alloc(32), new Date(0))],
  ['a person', 'people_email', (db: DirectoryDb) => findPersonByEmail(db, 'ada@lantern.example')],
  ['the sessions of a person', 'sessions_person', (db: DirectoryDb) => deleteSessions(db, 'x', null)],
  ['a passkey', 'passkeys_pkey', (db: DirectoryDb) => findPasskey(db, 'x')],
  ['a step', 'sign_in_steps_pkey', (db: DirectoryDb) => findStep(db, Buffer.alloc(32), 'x', new Date(0))],
] as const)('%s is found by index', async (_, index, ask) => {
  expect(await planOf(ask)).toContain(`Index Scan using ${index}`)
})
