import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lookUpStatus, missedStatuses } from '../../src/modules/messages/inbound/missed-status.ts'
import { type Scene, failure, openScene } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('missed_status')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const hourMs = 3_600_000

/** Sends a text whose callback is lost. Returns its id. */
async function sent(body = 'Hello'): Promise<string> {
  const id = await scene.send(await scene.person(), body)
  await scene.look()
  expect(await scene.read(id)).toMatchObject({ status: 'sent' })
  return id
}

/** Looks up what is due. Returns the ids. */
async function lookUp(): Promise<string[]> {
  const { app, carriers, workspace } = scene
  const due = await missedStatuses.listDue(workspace.ctx.db, app.clock.now(), 10, app.clock)
  for (const id of due) await lookUpStatus(workspace.ctx, carriers, id)
  return due
}

test('a text whose status callback was lost is looked up once, an hour after it was sent', async () => {
  const { app, script } = scene
  const [arrived, bounced] = [await sent(), await sent()]
  script.status = (providerMessageId) =>
    script.read.length === 1
      ? { attemptId: null, providerMessageId, status: 'delivered', failure: null, at: null }
      : { attemptId: null, providerMessageId, status: 'undelivered', failure: failure('rejected'), at: null }
  app.clock.advance(hourMs - 1)
  expect(await lookUp()).toEqual([])
  app.clock.advance(1000)
  expect(await lookUp()).toEqual([arrived, bounced])
  expect(await scene.read(arrived)).toMatchObject({
    status: 'delivered',
    delivered_at: app.clock.now().toISOString(),
  })
  expect(await scene.read(bounced)).toMatchObject({ status: 'undelivered', error: { code: 'rejected' } })
  expect(await scene.eventsOf(arrived)).toContain('message.delivered')
  expect(await scene.eventsOf(bounced)).toContain('message.failed')
})

test('a text for which the provider has no final status either is not looked up again', async () => {
  const { app, script } = scene
  const id = await sent()
  script.status = (providerMessageId) => ({
    attemptId: null,
    providerMessageId,
    status: 'sent',
    failure: null,
    at: null,
  })
  app.clock.advance(hourMs + 1000)
  expect(await lookUp()).toEqual([id])
  app.clock.advance(hourMs)
  expect(await lookUp()).toEqual([])
  expect(await scene.read(id)).toMatchObject({ status: 'sent' })
})

test('while the provider cannot be reached, the lookup does not count', async () => {
  const { app, script } = scene
  const id = await sent()
  script.status = () => {
    throw new Error('no response')
  }
  app.clock.advance(hourMs + 1000)
  await expect(lookUp()).rejects.toThrow('no response')
  script.status = () => undefined
  expect(await lookUp()).toEqual([id])
  expect(await lookUp()).toEqual([])
})
