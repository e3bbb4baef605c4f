import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import type { SendOutcome } from '../../src/modules/messages/ports.ts'
import { findDefaultSender, updateConnection } from '../../src/modules/senders/public.ts'
import { type Scene, openScene } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('rejected_credentials')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const minutes = (n: number) => n * 60_000
const denied: SendOutcome = {
  kind: 'later',
  failure: { code: 'credentials_rejected', carrierCode: '20003', message: 'Authenticate' },
  retryAfterMs: null,
}
const connection = async () => {
  const sender = orNotFound(await findDefaultSender(scene.workspace.ctx.db, 'SMS'))
  return (await scene.agent.get(`/connections/${sender.connection_id}`)).body
}
const audited = async () =>
  (await scene.agent.get('/audit-log')).body['data']
    .map(({ type }: { type: string }) => type)
    .filter((type: string) => /^connection.cred/.test(type))

test('while a provider rejects the credentials, messages wait and one is tried every five minutes', async () => {
  const { app, person, send, look, read, script } = scene
  const first = await send(await person(), 'One')
  script.outcomes = [denied, denied, denied]
  await look()
  expect(await read(first)).toMatchObject({ status: 'queued', error: null })
  expect((await connection())['credentials_rejected_at']).toBe(app.clock.now().toISOString())
  for (const text of ['Two', 'Three']) await send(await person(), text)
  expect(await look()).toHaveLength(1)
  expect(await look()).toEqual([])
  app.clock.advance(minutes(5) - 1)
  expect(await look()).toEqual([])
  app.clock.advance(1)
  expect(await look()).toHaveLength(1)
  app.clock.advance(minutes(5))
  expect(await look()).toHaveLength(1)
  expect(await connection()).toMatchObject({ credentials_rejected_at: null })
  expect(await audited()).toEqual(['connection.credentials_accepted', 'connection.credentials_rejected'])
  app.clock.advance(minutes(5))
  expect(await look()).toHaveLength(2)
  expect((await read(first))['status']).toBe('sent')
})

test('new credentials end the wait', async () => {
  const { app, workspace, person, send, look, script } = scene
  for (const text of ['One', 'Two']) await send(await person(), text)
  script.outcomes = [denied, denied]
  await look()
  app.clock.advance(minutes(5))
  await updateConnection(workspace.ctx, (await connection())['id'], { secret: 'new ones' })
  expect((await connection())['credentials_rejected_at']).toBeNull()
  expect(await look()).toHaveLength(2)
})

test('a response about credentials that were replaced meanwhile says nothing of the new ones', async () => {
  const { workspace, person, send, look, script } = scene
  for (const text of ['One', 'Two']) await send(await person(), text)
  script.outcomes = [denied]
  script.during = async () => {
    script.during = () => undefined
    await updateConnection(workspace.ctx, (await connection())['id'], { secret: 'new ones' })
  }
  expect(await look()).toHaveLength(2)
  expect((await connection())['credentials_rejected_at']).toBeNull()
  expect(await audited()).toEqual(['connection.credentials_replaced'])
})

test('a message fails after its credentials are rejected for three days', async () => {
  const { app, person, send, look, read, script } = scene
  const id = await send(await person(), 'Hello')
  script.outcomes = [denied, denied]
  await look()
  app.clock.advance(minutes(3 * 24 * 60))
  await look()
  expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'credentials_rejected' } })
})
