import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { freshDatabase } from '#test/support/database.ts'
import { defaultLimits } from '../../src/modules/deliveries/dispatcher/limits.ts'
import { seededRandom } from '../../src/seed/random.ts'
import { bothQueues } from './both-queues.ts'
import { type QueueModel, newQueueModel } from './queue-model.ts'
import { openRealQueue } from './real-queue.ts'

/** One seed for every hundred of the simulation. `GABLE_SIMULATION_SEEDS` and `GABLE_SIMULATION_SEED` apply to both. */
const seeds = Math.ceil(Number(process.env['GABLE_SIMULATION_SEEDS'] ?? 400) / 100)
const firstSeed = Number(process.env['GABLE_SIMULATION_SEED'] ?? 1)
const steps = 300

vi.setConfig({ testTimeout: 240_000 })

/** How often each outcome occurred, over all seeds. */
const seen = new Map<string, number>()

/** A queue in an empty database, and an empty model. */
async function bothOf(seed: number, name: string) {
  const opened = new AsyncDisposableStack()
  onTestFinished(() => opened.disposeAsync())
  const app = opened.use(await testApp({ databaseUrl: await freshDatabase(name) }))
  const real = opened.use(await openRealQueue(app))
  const model = newQueueModel()
  const both = bothQueues(real, model, { random: seededRandom(seed), clock: app.clock })
  return { ...both, rows: real.rows, model, now: () => app.clock.now().getTime() }
}

/** The model's rows, in the format of the real queue's rows. */
function rowsOf(model: QueueModel): string[] {
  const lines = model.webhookIds().flatMap((webhookId) => {
    const hook = model.hook(webhookId)
    const lease = model.lease(webhookId)
    return [
      ...model
        .rows(webhookId)
        .map(({ id, status, attempt, dueAt, claimedBy = '-', claimedUntil = '-', logged }) =>
          [webhookId, id, status, attempt, dueAt, claimedBy, claimedUntil, logged].join(' '),
        ),
      ...(lease === undefined ? [] : [`${webhookId} held by ${lease.worker} ${lease.until}`]),
      ...(hook === undefined ? [] : [`${webhookId} ${hook.failing ? 'fails' : 'responds'}`]),
    ]
  })
  return lines.sort()
}

test.for(Array.from({ length: seeds }, (_, i) => firstSeed + i))(
  'the model of the queue agrees with PostgreSQL (seed %i)',
  async (seed) => {
    const { step, results, counts, rows, model } = await bothOf(seed, `simulation_${seed}`)
    const done: string[] = []
    for (let i = 0; i < steps; i++) {
      done.push(await step())
      const story = () => `GABLE_SIMULATION_SEED=${seed}, after\n${done.slice(-12).join('\n')}\n`
      expect(results.real, story()).toEqual(results.model)
      expect(await rows(), story()).toEqual(rowsOf(model))
    }
    for (const [what, count] of Object.entries(counts)) seen.set(what, (seen.get(what) ?? 0) + count)
  },
)

test('the runs cover every outcome of a claim', () => {
  expect([...seen.keys()]).toEqual(['claimed', 'over', 'settled', 'late'])
  expect([...seen].filter(([, count]) => count === 0)).toEqual([])
})

test('the model agrees with PostgreSQL on more endpoints than one scan covers', async () => {
  const { subscribe, publish, claim, results, rows, model, now } = await bothOf(1, 'simulation_wide')
  const ids = Array.from({ length: 2300 }, (_, i) => `h${10_000 + i}`)
  await subscribe('w1', ids)
  await publish('w1')
  await publish('w1')
  const { firstQuota, perClaim } = defaultLimits
  const request = {
    now: now(),
    limit: perClaim,
    quotas: new Map<string, number>(),
    refill: [],
    scan: true,
    idle: false,
    defaultQuota: firstQuota,
    workspaceQuotas: new Map<string, number>(),
    defaultWorkspaceQuota: 10_000,
    failingQuota: 0,
  }
  const looks: [found: number, after: string][] = []
  for (let after = ''; looks.length < 13; after = results.real?.after ?? '') {
    await claim('a', { ...request, after })
    expect(results.real).toEqual(results.model)
    looks.push([results.real?.rows.length ?? 0, results.real?.after ?? ''])
  }
  expect(await rows()).toEqual(rowsOf(model))
  // First all due deliveries, in turn, until none are left; then a full scan of endpoints that have nothing due.
  expect(looks.slice(0, 10).map(([found]) => found)).toEqual([...Array(9).fill(perClaim), 100])
  expect(looks.slice(10)).toEqual([
    [0, ids[999]],
    [0, ids[1999]],
    [0, ''],
  ])
})
