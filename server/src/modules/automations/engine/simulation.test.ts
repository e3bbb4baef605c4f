import { afterAll, beforeAll, expect, test } from 'vitest'
import { found } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { agent, app, openScene, workspace } from '#test/scenes/workspace.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { seededRandom } from '../../../seed/random.ts'
import { createEngine } from './engine.ts'
import { moveContact } from './move-contact.ts'
import { holdLanesAcrossWorkspaces } from './queue-queries.ts'

openScene({ role: 'api' })

const minute = 60_000
const note = (key: string) => ({ key, type: 'note', body: key })
const wait = (key: string, minutes: number) => ({ key, type: 'wait', for: { minutes } })

const definition = {
  exits: [{ when: 'owner_changed' }],
  steps: [note('a'), wait('w', 3), note('b'), note('c'), wait('v', 5), note('d')],
}

interface Past {
  key: string
  at: number
}

let queue: ReturnType<typeof app.runtime.database.across>
beforeAll(() => {
  queue = app.runtime.database.across('gable_engine')
})
afterAll(() => queue[Symbol.asyncDispose]())

/** Hours of an engine's life with what may go wrong, the same for the same seed. */
async function live(seed: number, automation: string): Promise<string> {
  const random = seededRandom(seed)
  const contact = idOf(await agent.post('/contacts', { first_name: 'Ada' }))
  const { body } = await agent.post(`/automations/${automation}/enroll`, { contact_id: contact })
  const path = `/enrollments/${body['id']}`
  let exitedAt: number | undefined
  const now = () => app.clock.now().getTime()

  async function tick(): Promise<void> {
    await createEngine(app.runtime, queue, newId(app.clock.now())).tick()
  }

  /** Takes the lane as if the one before had stalled, and dies before it commits or works on. */
  async function stall(dies: boolean): Promise<void> {
    const at = app.clock.now()
    const [hold] = await holdLanesAcrossWorkspaces(queue, {
      ids: [workspace.id],
      holder: newId(at),
      now: at,
      until: new Date(at.getTime() + minute),
      limit: 1,
    })
    if (hold === undefined) return
    const { ctx } = workspace
    const dying: typeof ctx = {
      ...ctx,
      transaction: (work) =>
        ctx.transaction(async (tx) => {
          await work(tx)
          await tx.flush()
          throw new Error('killed')
        }),
    }
    if (dies) return expect(moveContact(dying, hold, contact)).rejects.toThrow('killed')
    // Meanwhile another engine takes over.
    app.clock.advance(2 * minute)
    await tick()
    await moveContact(ctx, hold, contact)
  }

  const deeds = [
    tick,
    tick,
    async () => void (await Promise.all([tick(), tick()])),
    async () => app.clock.advance(random.integer(1, 4) * minute),
    () => stall(true),
    () => stall(false),
    async () => void (await agent.patch(path, { status: 'paused' })),
    async () => void (await agent.patch(path, { status: 'running' })),
  ]
  for (let n = 0; n < 25; n++) {
    const deed = random.integer(0, deeds.length + (n > 15 ? 1 : 0) - 1)
    if (deed < deeds.length) await found(deeds[deed])()
    else if (exitedAt === undefined) {
      const { id } = await workspace.member()
      await agent.patch(`/contacts/${contact}`, { owner_id: id })
      exitedAt = now()
    }
  }
  // After the last fault, all that is due moves.
  await agent.patch(path, { status: 'running' })
  for (let n = 0; n < 12; n++) {
    app.clock.advance(minute)
    await tick()
    await tick()
  }

  const over = (await agent.get(path)).body
  const steps: Past[] = over['steps'].map(({ step_key, at }: { step_key: string; at: string }) => ({
    key: step_key,
    at: Date.parse(at),
  }))
  const notes = (await agent.get(`/contacts/${contact}/notes`)).body['data'] as { body: string }[]
  const written = steps.map(({ key }) => key).filter((key) => 'abcd'.includes(key))
  expect(
    notes.map((one) => one.body).toReversed(),
    `seed ${seed}: each effect is that of one record`,
  ).toEqual(written)
  expect(
    steps.map(({ key }) => key),
    `seed ${seed}: in order, each once`,
  ).toEqual(['a', 'w', 'b', 'c', 'v', 'd'].slice(0, steps.length))
  const timeOf = (key: string) => steps.find((one) => one.key === key)?.at
  const [a, w, c, v] = ['a', 'w', 'c', 'v'].map(timeOf)
  if (a !== undefined && w !== undefined)
    expect(w - a, `seed ${seed}: no wait is cut short`).toBeGreaterThanOrEqual(3 * minute)
  if (c !== undefined && v !== undefined)
    expect(v - c, `seed ${seed}: no wait is cut short`).toBeGreaterThanOrEqual(5 * minute)
  if (exitedAt !== undefined)
    for (const { at } of steps)
      expect(at, `seed ${seed}: nothing after an exit`).toBeLessThanOrEqual(exitedAt)
  const [left] = await asOwner<{ left: number }>(
    app.databaseUrl,
    'select count(*)::int as left from automation_inbox where workspace_id = $1',
    [workspace.id],
  )
  expect(left?.left, `seed ${seed}: nothing is left in the inbox`).toBe(0)
  return over['status']
}

test(
  'engines that stall, die and race take each step once, in order, and none early or after an exit',
  { timeout: 120_000 },
  async () => {
    const automation = idOf(await agent.post('/automations', { name: 'Notes', definition }))
    await agent.post(`/automations/${automation}/publish`)
    await agent.post(`/automations/${automation}/enable`)
    for (let seed = 1; seed <= 20; seed++)
      expect(['completed', 'exited'], `seed ${seed}: it ends`).toContain(await live(seed, automation))
  },
)
