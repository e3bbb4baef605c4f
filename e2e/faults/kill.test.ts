import { randomInt } from 'node:crypto'
import { seededRandom } from '@gable/server/src/seed/random.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { type TextResponse, type Question, ask } from './ask.ts'
import { newDataDirectory } from './data-directory.ts'
import { type RunningGable, startGable } from './gable-process.ts'
import { type Keys, newKeys } from './keys.ts'

/** `GABLE_FAULT_ROUNDS` sets their number, `GABLE_FAULT_SEED` repeats the moments of an earlier run. */
const rounds = Number(process.env['GABLE_FAULT_ROUNDS'] ?? 5)
const seed = Number(process.env['GABLE_FAULT_SEED'] ?? randomInt(2 ** 31))
const clients = 8
vi.setConfig({ testTimeout: 180_000 + rounds * 30_000 })

/** A request, and its response if it arrived before the server was killed. */
interface Attempt {
  question: Question
  response: TextResponse | undefined
}

test(`acknowledged records exist once after kill -9, and a retry returns the same response (seed ${seed})`, async ({
  annotate,
}) => {
  const random = seededRandom(seed)
  await using data = await newDataDirectory({ demo: false })
  const env = { DATA_DIR: data.path }
  await using opened = new AsyncDisposableStack()
  let gable = opened.use(await startGable(env))
  const url = await data.databaseUrl()
  // Enough that the limit of 120 requests per minute is never reached.
  const keys = await newKeys(url, 400)
  let interrupted = 0
  let committed = 0

  for (let round = 1; round <= rounds; round++) {
    const attempts = await writeUntilKilled(gable, keys, `round ${round}`, {
      afterResponses: 20 + Math.floor(random.next() * 100),
      delay_ms: random.next() * 20,
    })
    gable = opened.use(await startGable(env))
    await expectThere(
      url,
      attempts.filter(({ response }) => response !== undefined),
    )
    await expectOneEventEach(url, keys.workspaceId)
    for (const { question, response } of attempts) {
      const again = await retry(gable.base, question)
      expect(again.status).toBe(201)
      if (response !== undefined) expect(again.text).toBe(response.text)
      else interrupted++
      if (response === undefined && again.headers.has('idempotency-replayed')) committed++
    }
    await expectThere(url, attempts)
    await expectOneEventEach(url, keys.workspaceId)
  }
  await annotate(
    `${rounds} rounds, seed ${seed}: ${interrupted} requests had no response, ${committed} of them had been committed.`,
  )
})

/** Creates contacts and notes with several clients at once, until kill -9 interrupts some of them. */
async function writeUntilKilled(
  gable: RunningGable,
  keys: Keys,
  name: string,
  { afterResponses, delay_ms }: { afterResponses: number; delay_ms: number },
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  let responses = 0

  async function post(path: string, body: Record<string, string>): Promise<TextResponse> {
    const idempotencyKey = `${name} ${attempts.length}`.replaceAll(' ', '-')
    const attempt: Attempt = {
      question: { method: 'POST', path, key: keys.next(), body, idempotencyKey },
      response: undefined,
    }
    attempts.push(attempt)
    attempt.response = await ask(gable.base, attempt.question)
    if (++responses === afterResponses) setTimeout(() => gable.kill('SIGKILL'), delay_ms)
    return attempt.response
  }
  async function client(): Promise<never> {
    for (;;) {
      const { status, body } = await post('/contacts', { last_name: `${name}, contact ${attempts.length}` })
      expect(status).toBe(201)
      await post(`/contacts/${body['id']}/notes`, { body: `${name}, note ${attempts.length}` })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: clients }, client))
  // Each ends because its connection broke, and for no other reason.
  for (const end of ends)
    expect(end).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringMatching(/fetch failed|terminated/) },
    })
  expect(await gable.exit).toEqual({ code: null, signal: 'SIGKILL' })
  return attempts
}

/** Repeats the request until the lock of a transaction that is still ending is free. */
async function retry(base: string, question: Question): Promise<TextResponse> {
  for (let i = 0; ; i++) {
    const response = await ask(base, question)
    if (i === 100 || response.body['error']?.code !== 'idempotency_in_progress') return response
  }
}

/** Checks that each of the contacts and notes exists once. */
async function expectThere(url: string, attempts: Attempt[]): Promise<void> {
  const wanted = attempts.map(({ question }) => Object.values(question.body as Record<string, string>)[0])
  const missing = await asOwner(
    url,
    `with found as (
       select last_name as text from contacts union all
       select data->>'body' from events where name = 'note.added'
     )
     select text, count(found.text)::int from unnest($1::text[]) as wanted (text) left join found using (text)
     group by text having count(found.text) <> 1`,
    [wanted],
  )
  expect(missing).toEqual([])
}

/** Checks that each contact has exactly one event of its creation, and each such event a contact. */
async function expectOneEventEach(url: string, workspaceId: string): Promise<void> {
  const alone = await asOwner(
    url,
    `select id, events from (select id from contacts where workspace_id = $1) c
     full join (
       select subject_id as id, count(*)::int as events from events
       where workspace_id = $1 and name = 'contact.created' group by subject_id
     ) e using (id)
     where c.id is null or e.events is distinct from 1`,
    [workspaceId],
  )
  expect(alone).toEqual([])
}
