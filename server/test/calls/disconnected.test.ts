import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import {
  disconnectConnection,
  recordCredentials,
  updateConnection,
} from '../../src/modules/senders/public.ts'
import { callOf, ended, events, placeWith } from './retell-calls.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

async function connectionOf(callId: string): Promise<string> {
  const [row] = await asOwner<{ connection_id: string }>(
    scene.app.databaseUrl,
    'select connection_id from calls where id = $1',
    [callId],
  )
  return orNotFound(row).connection_id
}

const disconnect = async (id: string) => disconnectConnection(scene.workspace.ctx, id)

/** A completed call without a recording. */
async function completed(): Promise<string> {
  const id = await placeWith(scenes, scene)
  for (const [event, call] of events(id)) await scene.retell(id, event, call)
  await scene.advance(id)
  return id
}

const hasCalls = { status: 409, code: 'connection_has_calls' }

test('a connection cannot be disconnected until its waiting, ongoing, and unknown calls are over', async () => {
  const waiting = idOf(await scene.agent.post('/calls', { to: person }))
  const connection = await connectionOf(waiting)
  await expect(disconnect(connection)).rejects.toMatchObject(hasCalls)
  scenes.providers.script.respond = () => 'reset'
  await scene.advance(waiting)
  await expect(disconnect(connection)).rejects.toMatchObject(hasCalls)
  await scene.retell(waiting, 'call_started', callOf(waiting, { call_status: 'ongoing' }))
  await expect(disconnect(connection)).rejects.toMatchObject(hasCalls)
  await scene.retell(waiting, 'call_ended', callOf(waiting, ended))
  await disconnect(connection)
})

test('a connection cannot be disconnected until its recordings are copied', async () => {
  const id = await placeWith(scenes, scene)
  const connection = await connectionOf(id)
  const [, , [event, call]] = events(id)
  await scene.retell(id, event, { ...call, recording_url: `${scenes.providers.origin}/recording.wav` })
  await expect(disconnect(connection)).rejects.toMatchObject(hasCalls)
  scenes.providers.script.respond = () => [200, Buffer.from('RIFF\0\0\0\0WAVEfmt ')]
  await scene.advance(id)
  await disconnect(connection)
})

test('a connection cannot be disconnected until erased calls are removed at the provider', async () => {
  const id = await completed()
  const connection = await connectionOf(id)
  await scene.agent.delete(`/contacts/${scene.contactId}`)
  await expect(disconnect(connection)).rejects.toMatchObject(hasCalls)
  scenes.providers.script.respond = () => [204]
  await scene.removeErased()
  await disconnect(connection)
})

test('a connection with rejected credentials can be disconnected; removals wait for new ones', async () => {
  const id = await completed()
  const connection = await connectionOf(id)
  await scene.agent.delete(`/contacts/${scene.contactId}`)
  await recordCredentials(scene.workspace.ctx, { id: connection }, true)
  await disconnect(connection)
  scenes.providers.script.respond = () => [204]
  const deleted = () => scenes.providers.requested.filter(({ method }) => method === 'DELETE')
  scenes.providers.requested.length = 0
  await scene.removeErased()
  expect(deleted()).toEqual([])
  await updateConnection(scene.workspace.ctx, connection, { secret: 'new' })
  scene.app.clock.advance(24 * 3_600_000)
  await scene.removeErased()
  expect(deleted()).toMatchObject([{ path: '/v2/delete-call/call_1' }])
})

test('calls of a disconnected connection fail and are not looked up again', async () => {
  const underWay = await placeWith(scenes, scene)
  const waiting = idOf(await scene.agent.post('/calls', { to: person }))
  await asOwner(scene.app.databaseUrl, 'update connections set disconnected_at = now() where id = $1', [
    await connectionOf(waiting),
  ])
  for (const id of [waiting, underWay]) {
    await scene.advance(id)
    await scene.advance(id)
    expect(await scene.read(id)).toMatchObject({
      status: 'failed',
      ended_at: expect.any(String),
      error: { code: 'connection_disconnected' },
    })
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
  }
  const looks = await asOwner(
    scene.app.databaseUrl,
    'select id from calls where id = any ($1) and look_at is not null',
    [[waiting, underWay]],
  )
  expect(looks).toEqual([])
})

test('a recording not copied before its connection was disconnected is unavailable', async () => {
  const id = await placeWith(scenes, scene)
  const [, , [event, call]] = events(id)
  await scene.retell(id, event, { ...call, recording_url: `${scenes.providers.origin}/recording.wav` })
  await asOwner(scene.app.databaseUrl, 'update connections set disconnected_at = now() where id = $1', [
    await connectionOf(id),
  ])
  await scene.advance(id)
  expect(await scene.read(id)).toMatchObject({ recording_url: null, recording_error: 'unavailable' })
})

test('rejected credentials are noted on the connection until the provider accepts them', async () => {
  const id = idOf(await scene.agent.post('/calls', { to: person }))
  const rejectedAt = async () => {
    const [row] = await asOwner<{ at: Date | null }>(
      scene.app.databaseUrl,
      'select credentials_rejected_at as at from connections where id = (select connection_id from calls where id = $1)',
      [id],
    )
    return row?.at
  }
  scenes.providers.script.respond = () => [401, { message: 'Invalid API key' }]
  await scene.advance(id)
  expect(await rejectedAt()).toEqual(scene.app.clock.now())
  scenes.providers.script.respond = () => [201, { call_id: 'call_1', call_status: 'registered' }]
  scene.app.clock.advance(60_000)
  await scene.advance(id)
  expect([await rejectedAt(), (await scene.read(id))['status']]).toEqual([null, 'ringing'])
})
