import { setTimeout as sleep } from 'node:timers/promises'
import type { Runtime } from '#kernel/context.ts'
import { createContact } from '#modules/contacts/public.ts'
import { enrollContact } from '#modules/enrollments/enroll.ts'
import { connected } from '../databases.ts'
import { percentile } from '../statistics.ts'
import { startHelper } from '../webhooks/processes.ts'
import type { WorkerQuestion } from '../webhooks/worker.ts'
import { fill, openBrokerage } from './scene.ts'

/** How long other brokerages wait for their steps while one brokerage has many due, in milliseconds. */
export interface Fairness {
  due: number
  /** Enrollments of the large brokerage that were still queued when the last of the others had ended. */
  left: number
  others: number
  p50: number
  p99: number
  slowest: number
}

const brokerages = 20

/**
 * `due` enrollments of one brokerage are due at once. Meanwhile, people of twenty other brokerages enroll, one every
 * 50 ms. Two workers run.
 */
export async function measureFairness(
  runtime: Runtime,
  url: string,
  { due, others, appSecret }: { due: number; others: number; appSecret: string },
): Promise<Fairness> {
  const large = await openBrokerage(runtime, 'Large')
  const small = []
  for (let n = 0; n < brokerages; n++) small.push(await openBrokerage(runtime, `Small ${n}`))
  await fill(url, large, due, runtime.clock.now())
  await connected(url, (client) => client.query('analyze'))
  await using first = await startHelper<WorkerQuestion, unknown>('worker.ts')
  await using second = await startHelper<WorkerQuestion, unknown>('worker.ts')
  await Promise.all(
    [first, second].map((worker) => worker.ask({ ask: 'start', databaseUrl: url, appSecret })),
  )
  await sleep(3000)
  for (let n = 0; n < others; n++) {
    const one = small[n % brokerages]
    if (one === undefined) throw new Error('There is no brokerage.')
    const { id } = await createContact(one.ctx, { first_name: 'Ben' })
    await enrollContact(one.ctx, one.automationId, { contact_id: id })
    await sleep(50)
  }
  const ids = small.map(({ ctx }) => ctx.workspaceId)
  return await connected(url, async (client) => {
    for (;;) {
      const { rows } = await client.query(
        `select from enrollments where workspace_id = any ($1) and status in ('queued', 'running') limit 1`,
        [ids],
      )
      if (rows.length === 0) break
      await sleep(100)
    }
    const { rows } = await client.query<{ left: number }>(
      `select count(*)::int as left from enrollments where workspace_id = $1 and status = 'queued'`,
      [large.ctx.workspaceId],
    )
    const { rows: waits } = await client.query<{ ms: number }>(
      `select extract(epoch from ended_at - created_at)::float * 1000 as ms from enrollments where workspace_id = any ($1)
       order by 1`,
      [ids],
    )
    const times = waits.map(({ ms }) => ms)
    return {
      due,
      left: rows[0]?.left ?? 0,
      others: times.length,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      slowest: times.at(-1) ?? Number.NaN,
    }
  })
}
