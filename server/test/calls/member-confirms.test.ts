import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { idOf } from '#test/support/fixtures.ts'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'
import { complete, memberPhone, memberWith } from './twilio-calls.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

const sid = `CA${'0123456789abcdef'.repeat(2)}`

/** A call for which the member's phone rings. */
async function ringing(to = person, leg = sid) {
  const member_id = await memberWith(scene, memberPhone)
  scenes.providers.script.respond = () => [201, { sid: leg, status: 'queued' }]
  const id = idOf(await scene.agent.post('/calls', { to, member_id }))
  await scene.advance(id)
  return { id, member_id }
}

const twiml = () =>
  scenes.providers.requested.flatMap(({ path, body }) =>
    path.endsWith('/Calls.json') ? [String(body['Twiml'])] : [],
  )[0]

const press = (id: string, Digits = '1') => scene.twilio(id, 'connect', { CallSid: sid, Digits })

const legEnds = (id: string) => scene.twilio(id, 'member', { CallSid: sid, CallStatus: 'completed' })

test('the member’s phone asks for a key before the person is called', async () => {
  const { id } = await ringing()
  expect(twiml()).toMatch(
    /^<Response><Gather action="[^"]+\/voice\/connect\/\w+#[^"]*" actionOnEmptyResult="true" [^>]*><Say>[^<]+Press any key[^<]+<\/Say><\/Gather><\/Response>$/,
  )
  expect(twiml()).not.toContain(person)
  const { status, body } = await press(id)
  expect(status).toBe(200)
  expect(body).toMatch(
    new RegExp(`^<Response><Dial [^>]*><Number [^>]*>\\${person}</Number></Dial></Response>$`),
  )
  expect(await scene.read(id)).toMatchObject({ status: 'ringing', provider_call_id: sid })
})

describe('the person is not called', () => {
  const hungUp = /^<Response><Say>[^<]+<\/Say><Hangup\/><\/Response>$/

  test('if no key is pressed, as on a voicemail; the call becomes no_answer', async () => {
    const { id } = await ringing()
    expect((await press(id, '')).body).toMatch(hungUp)
    await legEnds(id)
    expect(await scene.read(id)).toMatchObject({
      status: 'no_answer',
      disposition: 'no_answer',
      duration_seconds: 0,
      error: { code: 'member_unreachable' },
    })
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
    expect((await press(id)).body).toMatch(hungUp)
  })

  test('if they opted out while the phone rang; the call is blocked, whatever the member’s leg reports', async () => {
    const { id } = await ringing()
    await scene.agent.post('/suppressions', { phone: person, kind: 'internal_dnc' })
    expect((await press(id)).body).toMatch(hungUp)
    await legEnds(id)
    await complete(scene, id)
    expect(await scene.read(id)).toMatchObject({
      status: 'blocked',
      compliance: { decision: 'blocked', reason: 'suppressed_internal_dnc' },
      ended_at: expect.any(String),
    })
    expect(await scene.events(id)).toEqual(['call.created', 'call.blocked', 'call.completed'])
  })

  test('if they were erased or the member was deactivated in the meantime', async () => {
    const one = await ringing()
    await setMemberActive(scene.workspace.ctx, one.member_id, false)
    expect((await press(one.id)).body).toMatch(hungUp)
    expect(await scene.read(one.id)).toMatchObject({
      status: 'failed',
      error: { code: 'member_unreachable' },
    })
    scene = await scenes.open()
    const other = await ringing()
    await scene.agent.delete(`/contacts/${scene.contactId}`)
    expect((await press(other.id)).body).toMatch(hungUp)
  })

  test('by a request that is unsigned or for another call', async () => {
    const { id } = await ringing()
    const response = await fetch(`${scene.app.url}/callbacks/twilio/${scene.contactId}/voice/connect/${id}`, {
      method: 'POST',
      body: new URLSearchParams({ CallSid: sid, Digits: '1' }),
    })
    expect(response.status).toBe(403)
    expect((await scene.incoming(`connect/${scene.contactId}`, { CallSid: sid, Digits: '1' })).body).toMatch(
      hungUp,
    )
  })
})

test('an opt-out during the key press either blocks the call or comes after it is connected', async () => {
  for (let n = 0; n < 10; n++) {
    scene = await scenes.open()
    const { id } = await ringing()
    const [{ body }] = await Promise.all([
      press(id),
      scene.agent.post('/suppressions', { phone: person, kind: 'internal_dnc' }),
    ])
    const { status } = await scene.read(id)
    expect([status, body.includes('<Dial ')]).toEqual([status, status === 'ringing'])
  }
})

test('a call does not count toward its own daily limit', async () => {
  const to = '+13055550177'
  const consent = {
    captured_at: '2026-01-02T15:00:00Z',
    source_url: 'https://lanternandoak.example/valuation',
  }
  await scene.agent.post('/leads', { phone: to, source: 'Website', skip_routing: true, consent })
  for (let n = 0; n < 3; n++) {
    const own = `CA${String(n).repeat(32)}`
    const { id } = await ringing(to, own)
    expect((await scene.twilio(id, 'connect', { CallSid: own, Digits: '1' })).body).toContain('<Dial ')
  }
  const member_id = await memberWith(scene, memberPhone)
  expect((await scene.agent.post('/calls/preflight', { to, member_id })).body.reasons).toContain(
    'frequency_cap',
  )
})
