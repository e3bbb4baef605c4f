import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { events, placeWith } from './retell-calls.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

/** A completed call with the provider's analysis. */
async function completed(): Promise<string> {
  const id = await placeWith(scenes, scene)
  for (const [event, call] of events(id)) await scene.retell(id, event, call)
  return id
}

const patch = (id: string, body: object) => scene.agent.patch(`/calls/${id}`, body)

const held = () =>
  asOwner<{ kind: string }>(scene.app.databaseUrl, 'select kind from suppressions where workspace_id = $1', [
    scene.workspace.id,
  ])

describe('a person', () => {
  test('sets the summary and disposition of a call, which later reports do not overwrite', async () => {
    const id = await completed()
    expect(await patch(id, { summary: 'Wants a garden.', disposition: 'nurture' })).toMatchObject({
      status: 200,
      body: { summary: 'Wants a garden.', summary_source: 'person', disposition: 'nurture' },
    })
    const [, , [event, call]] = events(id)
    await scene.retell(id, event, call)
    expect(await scene.read(id)).toMatchObject({ summary: 'Wants a garden.', disposition: 'nurture' })
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed', 'call.updated'])
    expect((await patch(id, { disposition: 'qualified' })).body).toMatchObject({
      summary_source: 'person',
      disposition: 'qualified',
    })
    expect((await patch(id, { summary: null })).body).toMatchObject({ summary: null, summary_source: null })
  })

  test('who sets do_not_call adds an internal do-not-call entry and cancels waiting calls', async () => {
    const id = await completed()
    const waiting = idOf(await scene.agent.post('/calls', { to: person }))
    const { headers, body } = await patch(id, { disposition: 'do_not_call' })
    expect(headers.get('etag')).toBe(`"${body['updated_at']}"`)
    expect(await held()).toEqual([{ kind: 'internal_dnc' }])
    expect(await scene.read(waiting)).toMatchObject({ status: 'cancelled' })
  })

  test('cannot overwrite a newer version of a call', async () => {
    const id = await completed()
    const stale = { 'if-match': '"2026-01-01T00:00:00.000Z"' }
    expect(
      await scene.agent.request('PATCH', `/calls/${id}`, { body: { summary: 'x' }, headers: stale }),
    ).toMatchObject({ status: 412 })
  })

  test('cannot change a call that is not over or was erased', async () => {
    const waiting = idOf(await scene.agent.post('/calls', { to: person }))
    expect(await patch(waiting, { disposition: 'nurture' })).toMatchObject({
      status: 409,
      body: { error: { code: 'call_not_over' } },
    })
    const id = await completed()
    await scene.agent.delete(`/contacts/${scene.contactId}`)
    expect(await patch(id, { summary: 'x' })).toMatchObject({
      status: 409,
      body: { error: { code: 'call_erased' } },
    })
  })
})
