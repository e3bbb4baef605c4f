import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { newDatabase } from './databases.ts'
import { startGable } from './gable-process.ts'
import { holdRow } from './held-row.ts'
import { type Keys, newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 240_000 })

interface Asked {
  status: number
  ms: number
}

const post = async (
  base: string,
  keys: Keys,
  path: string,
  body: object,
  method = 'POST',
): Promise<Asked> => {
  const from = performance.now()
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `token ${keys.next()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return { status: response.status, ms: performance.now() - from }
}

const p99 = (asked: readonly Asked[]) => {
  const sorted = asked.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0
}

test('what one workspace asks for at once, or waits for, costs another one no 503', async () => {
  const env = await newDatabase('workspace_fairness')
  await using gable = await startGable({ ...env, ROLE: 'api', LOG_LEVEL: 'warn' })
  const { base } = gable
  const busy = await newKeys(env.DATABASE_URL, 12)
  const other = await newKeys(env.DATABASE_URL, 12)
  /** Posts one after another until the work is over, and at least 30 times. */
  async function meanwhile(work: Promise<unknown>): Promise<Asked[]> {
    let over = false
    const ended = work.finally(() => (over = true))
    const asked: Asked[] = []
    while (!over || asked.length < 30) {
      asked.push(await post(base, other, '/contacts', { first_name: 'Ada' }))
      // The keys have 1,440 requests a minute.
      await sleep(20)
    }
    await ended
    return asked
  }
  await meanwhile(Promise.resolve())
  const quiet = await meanwhile(Promise.resolve())

  const lead = (n: number) => ({ phone: `+1312555${String(1000 + n)}`, source: 'web' })
  const leads = Promise.all(Array.from({ length: 400 }, (_, n) => post(base, busy, '/leads', lead(n))))
  const besideLeads = await meanwhile(leads)

  const made = await fetch(`${base}/contacts`, {
    method: 'POST',
    headers: { authorization: `token ${busy.next()}`, 'content-type': 'application/json' },
    body: '{}',
  })
  const { id } = (await made.json()) as { id: string }
  const row = await holdRow(env.DATABASE_URL, 'select from contacts where id = $1 for update', [id])
  const waiting = Promise.all(
    Array.from({ length: 60 }, () => post(base, busy, `/contacts/${id}`, { first_name: 'Eda' }, 'PATCH')),
  )
  const besideLock = await meanwhile(waiting)
  await row[Symbol.asyncDispose]()

  const figures = { quiet: p99(quiet), besideLeads: p99(besideLeads), besideLock: p99(besideLock) }
  const rejected = (await leads).filter(({ status }) => status === 503).length
  console.log('p99 of another workspace, in ms', figures, `rejected leads: ${rejected} of 400`)
  for (const asked of [quiet, besideLeads, besideLock])
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([201]))
  // Who waits for the lock gets a 503 in the end, and no connection is lost to them.
  expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set([503]))
  expect(figures.besideLock).toBeLessThan(Math.max(...(await waiting).map(({ ms }) => ms)) / 2)
})
