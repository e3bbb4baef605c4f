import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findNextDueAcrossWorkspaces } from '../../src/modules/messages/queue/queries.ts'
import { asOwner } from '../support/database.ts'
import { type Scene, openScene, unclear } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('outbox_next_due')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const change = (text: string, values: unknown[] = []) => asOwner(scene.app.databaseUrl, text, values)

/** When a resting worker has to look next, in seconds from now. */
async function nextDue(): Promise<number | null> {
  await using queue = scene.app.runtime.database.across('gable_sender')
  const at = await findNextDueAcrossWorkspaces(queue, scene.app.clock)
  return at === null ? null : (Date.parse(at) - scene.app.clock.now().getTime()) / 1000
}

test('a resting worker looks next when the first message is due', async () => {
  const { person, send, app } = scene
  const due = (id: string, seconds: number) =>
    change('update outbox set due_at = $2 where message_id = $1', [
      id,
      new Date(app.clock.now().getTime() + seconds * 1000),
    ])
  await due(await send(await person(), 'Later'), 7200)
  await due(await send(await person(), 'Soon'), 3600)
  expect(await nextDue()).toBe(3600)
})

test('held messages are never due', async () => {
  const { person, send } = scene
  await send(await person(), 'Hello')
  await change("update outbox set due_at = 'infinity'")
  expect(await nextDue()).toBeNull()
})

test('a message whose outcome is unclear is due for its lookup', async () => {
  const { person, send, look, script } = scene
  await send(await person(), 'Hello')
  script.outcomes = [unclear]
  await look()
  expect(await nextDue()).toBe(30)
})

test('a message in flight is due when its worker counts as gone', async () => {
  const { person, send, look, script } = scene
  await send(await person(), 'Hello')
  let due: number | null = null
  script.during = async () => void (due = await nextDue())
  await look()
  expect(due).toBe(20)
})
