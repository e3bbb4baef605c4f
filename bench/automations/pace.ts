import { setTimeout as sleep } from 'node:timers/promises'
import type { Runtime } from '@gable/server/src/kernel/context.ts'
import { cpuOf, cpuOfPostgres, postmasterOf } from '../cpu.ts'
import { connected } from '../databases.ts'
import { startHelper } from '../webhooks/processes.ts'
import type { WorkerQuestion } from '../webhooks/worker.ts'
import { fill, openBrokerage, stepsEach } from './scene.ts'

export interface Pace {
  perSecond: number
  /** CPU microseconds per step, of the workers and of PostgreSQL. */
  worker: number
  postgres: number
}

const patienceMs = 900_000

/**
 * `people` of ten brokerages are due at once, and two workers take them through their steps. Throws if a step is
 * missing.
 */
export async function measurePace(
  runtime: Runtime,
  url: string,
  { people, appSecret, round }: { people: number; appSecret: string; round: number },
): Promise<Pace> {
  const brokerages = 10
  for (let n = 0; n < brokerages; n++)
    await fill(
      url,
      await openBrokerage(runtime, `Round ${round}, ${n}`),
      people / brokerages,
      runtime.clock.now(),
    )
  await connected(url, (client) => client.query('analyze'))
  const postmaster = await postmasterOf(url)
  await using first = await startHelper<WorkerQuestion, unknown>('worker.ts')
  await using second = await startHelper<WorkerQuestion, unknown>('worker.ts')
  const workers = [first, second]
  await Promise.all(workers.map((worker) => worker.ask({ ask: 'loaded' })))
  const used = () => ({
    worker: workers.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
    postgres: cpuOfPostgres(postmaster),
  })
  const before = used()
  await Promise.all(workers.map((worker) => worker.ask({ ask: 'start', databaseUrl: url, appSecret })))
  const seconds = await untilAllMoved(url)
  const after = used()
  const steps = people * stepsEach
  const each = (part: keyof typeof after) => ((after[part] - before[part]) * 1000) / steps
  return { perSecond: steps / seconds, worker: each('worker'), postgres: each('postgres') }
}

/**
 * Writes the same effects and records over two connections that know what to do, with one transaction per person.
 * Returns steps per second.
 */
export async function measureBare(url: string, workspaceId: string, people: number): Promise<number> {
  const { rows } = await connected(url, (client) =>
    client.query<{ id: string; contact_id: string }>(
      'select id, contact_id from enrollments where workspace_id = $1 order by id limit $2',
      [workspaceId, people],
    ),
  )
  const turns = rows.values()
  const from = performance.now()
  await Promise.all(
    [1, 2].map(() =>
      connected(url, async (client) => {
        for (const { id, contact_id } of turns) {
          const values = [workspaceId, contact_id, id]
          await client.query('begin')
          await client.query('select from contacts where workspace_id = $1 and id = $2 for update', [
            workspaceId,
            contact_id,
          ])
          for (let seq = 0; seq < stepsEach; seq++) {
            await client.query(
              `insert into enrollment_steps (workspace_id, enrollment_id, seq, step_key, type, planned_at, at, outcome, refs)
               values ($1, $2, $3, 'one', 'tag', now(), now(), 'done', '{}')`,
              [workspaceId, id, 1000 + seq],
            )
            await client.query(
              `insert into events (workspace_id, id, name, subject_type, subject_id, timeline_id, actor, data, occurred_at)
               values ($1, 'b' || substr(md5($3 || $4), 1, 24), 'bench.step', 'contact', $2, $2, '{}', '{}', now())`,
              [...values, String(seq)],
            )
            await client.query('update contacts set updated_at = now() where workspace_id = $1 and id = $2', [
              workspaceId,
              contact_id,
            ])
          }
          await client.query('update enrollments set seq = seq where workspace_id = $1 and id = $2', [
            workspaceId,
            id,
          ])
          await client.query('commit')
        }
      }),
    ),
  )
  return (rows.length * stepsEach) / ((performance.now() - from) / 1000)
}

/** Waits until all people have gone through their steps. Returns the seconds from the first step to the last. */
async function untilAllMoved(url: string): Promise<number> {
  const from = performance.now()
  return connected(url, async (client) => {
    for (;;) {
      const { rows } = await client.query(
        `select from enrollments where status in ('queued', 'running') limit 1`,
      )
      if (rows.length === 0) break
      if (performance.now() - from > patienceMs) throw new Error('Enrollments still wait.')
      await sleep(50)
    }
    const { rows } = await client.query<{ wrong: number; seconds: number }>(
      `select (select count(*)::int from enrollments where status <> 'completed' or seq <> $1) as wrong,
         extract(epoch from max(at) - min(at))::float as seconds from enrollment_steps`,
      [stepsEach],
    )
    if (rows[0]?.wrong !== 0) throw new Error(`${rows[0]?.wrong} enrollments have not taken their steps.`)
    return rows[0].seconds
  })
}
