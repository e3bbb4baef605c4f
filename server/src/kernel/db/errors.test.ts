import pg from 'pg'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { isOutage, toAppError, toReferenceError, violates } from './errors.ts'

const databaseError = (message: string, fields: Partial<pg.DatabaseError>) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), fields)

const duplicate = (name: string) => `duplicate key value violates unique constraint "${name}"`
const missing = (name: string) =>
  `insert or update on table "members" violates foreign key constraint "${name}"`

test.for([
  ['its field', databaseError(duplicate('members_email'), { code: '23505', constraint: 'members_email' })],
  ['its message', databaseError(duplicate('members_email'), { code: '23505' })],
  ['the message of a shard', databaseError(duplicate('members_email_102008'), { code: '23505' })],
  [
    'a translated message',
    databaseError('doppelter Schlüsselwert verletzt Unique-Constraint »members_email«', { code: '23505' }),
  ],
] as const)('a violated constraint is recognized by %s', ([, error]) => {
  expect(violates(error, 'members_email')).toBe(true)
  expect(violates(error, 'members')).toBe(false)
  expect(violates(error, 'email')).toBe(false)
  expect(violates(error, 'members_email_102')).toBe(false)
})

test('other constraints and other errors are not mistaken for this one', () => {
  expect(violates(databaseError(missing('members_office'), { code: '23503' }), 'members_office')).toBe(true)
  expect(violates(databaseError(missing('members_office'), { code: '23503' }), 'members_email')).toBe(false)
  expect(violates(databaseError(duplicate('members_email'), { code: '42601' }), 'members_email')).toBe(false)
  expect(violates(new Error(duplicate('members_email')), 'members_email')).toBe(false)
  const named = databaseError(missing('members_office'), { code: '23503', constraint: 'members_other' })
  expect(violates(named, 'members_office')).toBe(false)
})

test.for([
  missing('members_office'),
  'insert or update on table "members_102008" violates foreign key constraint "members_office_102008"',
  'Einfügen oder Aktualisieren in Tabelle »members« verletzt Fremdschlüssel-Constraint »members_office«',
  'une instruction insert ou update sur la table « members » viole la contrainte de clé étrangère « members_office »',
])('a reference to a missing record becomes a 404 that names its field: %s', (message) => {
  expect(toReferenceError(databaseError(message, { code: '23503' }))).toMatchObject({
    status: 404,
    body: { details: [{ path: 'office_id' }] },
  })
})

test('deleting a record that others reference stays an error', () => {
  const message =
    'update or delete on table "offices" violates foreign key constraint "members_office" on table "members"'
  const error = databaseError(message, { code: '23503' })
  expect(toReferenceError(error)).toBe(error)
})

test.for([
  ['a connection that was reset', new Error('read ECONNRESET'), true],
  ['a server that shuts down', databaseError('terminating connection', { code: '57P01' }), true],
  ['a deadlock', databaseError('deadlock detected', { code: '40P01' }), true],
  ['too many connections', databaseError('sorry', { code: '53300' }), true],
  ['a statement that takes too long', databaseError('canceling statement', { code: '57014' }), false],
  ['a violated constraint', databaseError(duplicate('members_email'), { code: '23505' }), false],
] as const)('distinguishes an outage from a failed statement: %s', ([, error, expected]) => {
  expect(isOutage(toAppError(error))).toBe(expected)
})

test('another 503 is not a database outage', () => {
  expect(isOutage(new AppError('suppressions_unreadable', 503, { message: 'The secret is missing.' }))).toBe(
    false,
  )
})
