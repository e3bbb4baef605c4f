import { describe, expect, test } from 'vitest'
import {
  ambientEnvironment,
  ambientTime,
  forgottenPromises,
  migrationTime,
  workspaceDueTimes,
} from './ambient.ts'
import { listFiles, parse, readSources, readText } from './source.ts'

describe('the code', () => {
  const runtime = readSources('server/src', 'sandbox', 'postgres')

  test('gets the current time only from the injected clock', () => {
    expect(ambientTime(runtime)).toEqual([])
    expect(listFiles('server/migrations').flatMap((path) => migrationTime(path, readText(path)))).toEqual([])
  })

  test('gives shared queues the due times of workspaces by the machine’s clock', () => {
    expect(workspaceDueTimes(runtime)).toEqual([])
  })

  test('reads environment variables only in config.ts', () => {
    expect(ambientEnvironment(runtime)).toEqual([])
  })

  test('discards no promise with void', () => {
    expect(forgottenPromises(runtime)).toEqual([])
  })
})

const path = 'server/src/modules/deals/deal.ts'
const found = [expect.stringMatching(`^${path}:2: `)]

test.for([
  ['tx.write`update outbox set due_at = ${until} where true`', 1],
  ['tx.write`update outbox set due_at = case on_return when 1 then 2 else ${dueAt}::timestamptz end`', 1],
  ['tx.write`insert into outbox ${values({ due_at: message.created_at,\n created_at: 1 })}`', 1],
  ['tx.write`select add_job(run_at => ${runAt})`', 1],
  ['tx.write`update outbox set due_at = ${tx.clock.due(until)} where true`', 0],
  ['tx.write`insert into outbox ${values({ due_at: tx.clock.due(at),\n created_at: 1 })}`', 0],
  ['tx.write`update outbox set due_at = ${realNow} where true`', 0],
  ['tx.write`update tasks set due_at = ${until} where true`', 0],
] as const)('finds %j: %i time of a workspace in a shared queue', ([code, count]) => {
  expect(workspaceDueTimes([parse('server/src/modules/deals/deal.ts', code)])).toHaveLength(count)
})

describe('reports direct use of the system clock:', () => {
  test.for([
    'const at = new Date()',
    'const at = new Date',
    'const at = Date()',
    'const at = Date.now()',
    'const at = Temporal.Now.instant()',
    'const query = sql`select now()`',
    'const query = sql`update deals set at = ${at}, moved = CURRENT_TIMESTAMP`',
    "const query = 'select clock_timestamp ( )'",
  ])('%s', (code) => {
    expect(ambientTime([parse(path, `\n${code}`)])).toEqual(found)
  })

  test.for([
    'const at = new Date(text)',
    'const at = new Date(clock.now().getTime() + 1)',
    'const query = sql`select ${clock.now()}`',
    '// new Date(), now()',
    'const current_date_of = (date: Date) => date',
  ])('but not in %s', (code) => {
    expect(ambientTime([parse(path, code)])).toEqual([])
  })

  test('in a migration', () => {
    const sql = 'create table a (\n  -- not now()\n  at timestamptz default now()\n);'
    expect(migrationTime('server/migrations/0001_a.sql', sql)).toEqual([
      expect.stringMatching(/^server\/migrations\/0001_a\.sql:3: /),
    ])
  })
})

test.for([
  "process.env['PORT']",
  "process['env']",
  "import { env } from 'node:process'",
  'const { env } = process',
])('reports an environment variable read outside config.ts: %s', (code) => {
  expect(ambientEnvironment([parse(path, `\n${code}`)])).toEqual(found)
  expect(ambientEnvironment([parse('server/src/config.ts', code)])).toEqual([])
})

test('reports a promise discarded with void', () => {
  expect(forgottenPromises([parse(path, '\nvoid save()')])).toEqual(found)
  expect(forgottenPromises([parse(path, 'const end = (): void => void list.push(1)')])).toEqual([])
})
