import { expect, test, vi } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { freshDatabase } from '#test/support/database.ts'
import { seededRandom } from '../../src/seed/random.ts'
import { bothQueues } from './both-queues.ts'
import { type QueueModel, newQueueModel } from './queue-model.ts'
import { openRealQueue } from './real-queue.ts'

const firstSeed = Number(process.env['GABLE_SIMULATION_SEED'] ?? 1)
const seeds = 60
const steps = 400

vi.setConfig({ testTimeout: 60_000 })

/** The rows of the model, in the words of those of the real queue. */
function rowsOf(model: QueueModel): string[] {
  const lines = model.webhookIds().flatMap((webhookId) => {
    const hook = model.hook(webhookId)
    const hold = model.hold(webhookId)
    return [
      ...model
        .rows(webhookId)
        .map(({ id, status, attempt, dueAt, claimedBy = '-', claimedUntil = '-', logged }) =>
          [webhookId, id, status, attempt, dueAt, claimedBy, claimedUntil, logged].join(' '),
        ),
      ...(hold === undefined ? [] : [`${webhookId} held by ${hold.worker} ${hold.until}`]),
      ...(hook === undefined ? [] : [`${webhookId} ${hook.failing ? 'fails' : 'answers'}`]),
    ]
  })
  return lines.sort()
}

test.for(Array.from({ length: seeds }, (_, i) => firstSeed + i))(
  'the queue of the simulation gives out and keeps what PostgreSQL does (seed %i)',
  async (seed) => {
    const random = seededRandom(seed)
    const databaseUrl = await freshDatabase(`simulation_${seed}`)
    await using app = await testApp({ databaseUrl })
    await using real = await openRealQueue(app)
    const model = newQueueModel()
    const both = bothQueues(real, model, { random, clock: app.clock })
    const done: string[] = []
    for (let i = 0; i < steps; i++) {
      done.push(await both.step())
      const story = () => `seed ${seed}, after\n${done.slice(-12).join('\n')}\n`
      expect(both.answers.real, story()).toEqual(both.answers.model)
      expect(await real.rows(), story()).toEqual(rowsOf(model))
    }
  },
)
