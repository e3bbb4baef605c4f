import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { allScopes } from '../../src/modules/access/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { asOwner } from '../support/database.ts'
import { ask, makeRecords, membersOf, pathWithin, readyAgain, takesId } from './requests.ts'

let app: TestApp
let workspace: TestWorkspace
let all: Client
let few: Client
let made: ReadonlyMap<string, string[]>

interface Column {
  table: string
  name: string
  type: string
}

/** The columns that hold what people, models and providers wrote about people, in their order. */
let columns: Column[]
/** Columns that a mark could be put into. */
const marked = new Set<string>()

/** Columns that no mark is put into, with the reason. */
const unmarked: Record<string, string> = {
  'appointment_invitations.person': 'No row of the fixtures has one.',
  'appointment_persons.person': 'No row of the fixtures has one.',
  'appointments.attendees': 'The marks of the members of bodies are in it.',
  'automation_entries.triggers': 'It is a test of the definition.',
  'calls.content_findings': 'The fixtures say nothing that is found.',
  'contacts.search_tags': 'No response has it.',
  'contacts.timezone': 'It is the name of a zone.',
  'events.data': 'It is masked when it is written.',
  'files.name': 'No row of the fixtures has one.',
  'generations.material': 'No response has it.',
  'idempotency_replies.body': 'It is what the sender of the request saw.',
  'leads.offered_to': 'They are IDs of members.',
  'message_attempts.detail': 'No response has it.',
  'request_batches.requests': 'It keeps no text that may describe a person.',
  'webhook_deliveries.attempts': 'It is what the receiver sent back.',
  'webhook_payloads.body': 'It is masked when it is written.',
}

/** What models and providers write in a JSON column, `§` for the mark. */
const shapes: Record<string, unknown> = {
  'calls.error': { code: 'rejected', carrier_code: null, message: '§' },
  'contacts.address': { street: '§', city: null, state: null, postal_code: null, country: null },
  'contacts.external_ids': [{ system: 'crm', id: '§' }],
  'contacts.tags': ['§'],
  'conversations.suggestion': {
    persona_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    text: '§',
    created_at: '2026-03-02T15:00:00.000Z',
  },
  'enrollments.context': { words: '§' },
  'lead_consents.captured_at': '§',
  'lead_consents.form_snapshot': { words: '§' },
  'leads.context': { words: '§' },
  'messages.error': { code: 'rejected', carrier_code: null, message: '§', retryable: false },
  'messages.media': [
    {
      id: 'cmi8h2k5p0001zq8r4t6w9x3y',
      content_type: 'image/png',
      size: null,
      name: '§',
      status: 'rejected',
      source: '§',
    },
  ],
  'messages.template': { name: 'viewing_reminder', language: 'en_US', variables: ['§'] },
  'saved_searches.criteria': { cities: ['§'] },
}

const columnOf = (n: number) => `${columns[n]?.table}.${columns[n]?.name}`

/** A mark of the column: a text with a number and an address in it, in the form of what it replaces. */
function markOf(n: number, value: unknown): string {
  const email = `mark${n}@r.example`
  const phone = `+1312555${String(7000 + n)}`
  if (/phone/.test(columns[n]?.name ?? '') || /^\+?[\d ().-]{7,}$/.test(String(value))) return phone
  return /\s/.test(String(value ?? '')) ? `Write to ${email} or call ${phone}.` : email
}

/** The columns whose marks are in a value. */
function marksIn(value: unknown): string[] {
  const text = JSON.stringify(value)
  const found = [...text.matchAll(/mark(\d+)@|5557(\d{3})(?!\d)/g)]
  return [...new Set(found.map(([, email, phone]) => columnOf(Number(email ?? phone))))]
}

/** Not text that someone wrote, but what the code reads: names, codes, times, IDs and addresses of files. */
const isFormal = (text: string) =>
  /^[\w.:/+-]*$/.test(text) && !/^\+\d/.test(text) && !/^[A-Z][a-z]+$/.test(text)

function withMarks(n: number, value: unknown): unknown {
  if (value === '§') return markOf(n, null)
  if (typeof value === 'string') return isFormal(value) ? value : markOf(n, value)
  if (Array.isArray(value)) return value.map((one) => withMarks(n, one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withMarks(n, one)]))
}

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  asOwner<Row>(app.databaseUrl, text, values)

/** Puts the column's mark into each row of the workspace that lets it. */
async function mark(n: number): Promise<void> {
  const { table, name, type } = columns[n] as Column
  const rows = await sql<{ at: string; value: unknown }>(
    `select ctid::text as at, "${name}" as value from ${table} where workspace_id = $1`,
    [workspace.id],
  )
  for (const { at, value } of rows) {
    const isText = type === 'text'
    const changed = isText ? markOf(n, value) : withMarks(n, shapes[columnOf(n)] ?? value)
    if (changed === null || (!isText && JSON.stringify(changed) === JSON.stringify(value))) continue
    const stored = isText || type === 'text[]' ? changed : JSON.stringify(changed)
    await sql(`update ${table} set "${name}" = $2 where ctid = $1::tid`, [at, stored]).then(
      () => marked.add(columnOf(n)),
      () => undefined,
    )
  }
}

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  all = await workspace.credential()
  few = await workspace.credential(...allScopes.filter((scope) => scope !== 'contacts:read:pii'))
  made = await makeRecords(all)
  columns = await sql<Column>(
    `select relname as table, attname as name, atttypid::regtype::text as type from pg_class c
     join pg_attribute a on attrelid = c.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and col_description(c.oid, attnum) = 'personal: erased'
       and atttypid::regtype::text in ('text', 'text[]', 'json', 'jsonb')
       and exists (select from pg_attribute where attrelid = c.oid and attname = 'workspace_id')
     order by relname, attname`,
  )
  for (const n of columns.keys()) if (!(columnOf(n) in unmarked)) await mark(n)
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

test('without contacts:read:pii, no response shows what a column says about a person', async () => {
  const shown = new Map<string, string>()
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    app.clock.advance(60_000)
    const path = pathWithin(endpoint, made)
    const { status, body } = await few.get(endpoint.list === undefined ? path : `${path}?limit=100`)
    expect([path, status]).toEqual([path, 200])
    for (const column of marksIn(body)) shown.set(column, endpoint.path)
  }
  expect([...shown]).toEqual([])
})

test('no event, whatever caused it, shows what a column says about a person', async () => {
  const since = app.clock.now()
  for (const endpoint of endpoints.filter((one) => one.method !== 'GET' && takesId(one))) {
    const path = pathWithin(endpoint, made)
    app.clock.advance(60_000)
    // That of a campaign removes the automation that it runs as, which has changes by then.
    if (!endpoint.path.startsWith('/campaigns/')) await readyAgain(endpoint, path)
    await ask(all, endpoint, path)
    // Each status, stage and the like may have an event of its own. Some are not possible now.
    if (endpoint.method !== 'PATCH') continue
    for (const [name, { enum: values = [] }] of membersOf(endpoint))
      for (const value of values) await all.patch(path, { [name]: value })
  }
  const events = await sql<{ name: string; data: object }>(
    'select name, data from events where workspace_id = $1 and occurred_at > $2',
    [workspace.id, since],
  )
  expect(events.length).toBeGreaterThan(40)
  expect(events.flatMap(({ name, data }) => marksIn(data).map((column) => [name, column]))).toEqual([])
})

test('a mark is in each column, or there is a reason', () => {
  expect(columns.map((_, n) => columnOf(n)).filter((one) => !marked.has(one))).toEqual(
    Object.keys(unmarked).toSorted(),
  )
})
