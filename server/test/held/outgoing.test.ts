import { expect, test, vi } from 'vitest'
import { dropHeldWork, outgoing, reviewHeldWork } from '../../src/cli/held-work.ts'
import { beginHold, endHold, findHold } from '../../src/modules/installation/public.ts'
import { openHeldScene } from './held-scene.ts'

vi.setConfig({ testTimeout: 120_000 })

/** What leaves although it is dropped, because it contacts no one. */
const kept = ['call_removals', 'message_removals', 'summaries']

const dropped = expect.stringContaining('dropped after the database was restored')

/** What the records say once all is dropped. */
const records = {
  backfills: 'paused',
  calendar_pushes: ['failed', dropped],
  calls: 'cancelled',
  campaigns: 'paused',
  deliveries: ['failed', dropped],
  digests: true,
  documents: 'voided',
  emails: ['failed', dropped],
  enrollments: 'cancelled',
  invitations: 0,
  messages: 'cancelled',
  responses: 'handoff',
  triggers: 0,
}

const names = outgoing.map(({ name }) => name).toSorted()

test.each(['release', 'drop'] as const)(
  'of everything that leaves, nothing does while the database is held; after %s it is as the list says',
  async (verb) => {
    await using scene = await openHeldScene(`held_${verb}`)
    const { runtime, provided, left, waiting } = scene
    const { directory } = runtime.database
    expect(Object.keys(waiting).toSorted()).toEqual(names)
    await beginHold(directory, { from: null, to: runtime.clock.now().toISOString() })
    const hold = (await findHold(directory)) ?? expect.unreachable()
    await scene.startWorkers()
    await scene.aWhile()
    const found = await reviewHeldWork(runtime, provided.carriers, hold, { requiresAll: true })
    expect(Object.entries(found).filter(([name, count]) => name !== 'sent' && count === 0)).toEqual([])
    expect(left).toEqual([])

    if (verb === 'drop') await dropHeldWork(runtime, hold)
    await directory.transaction((tx) => endHold(tx, hold.since))
    const expected = verb === 'drop' ? kept : names
    const leftOf = () => left.filter((name) => names.includes(name)).toSorted()
    await vi
      .waitUntil(() => expected.every((name) => left.includes(name)), { timeout: 60_000, interval: 50 })
      .catch(() => undefined)
    await scene.aWhile()
    expect(leftOf()).toEqual(expected)
    if (verb === 'release') return
    const said = Object.entries(waiting).filter(([name]) => !kept.includes(name))
    expect(
      Object.fromEntries(await Promise.all(said.map(async ([name, read]) => [name, await read()]))),
    ).toEqual(records)
  },
)
