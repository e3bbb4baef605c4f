import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type CallScene, person, startCallScenes } from './scene.ts'

let scenes: Awaited<ReturnType<typeof startCallScenes>>
let scene: CallScene
const taken = { call_id: 'call_1', call_status: 'registered' }

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

const placed = () =>
  scenes.providers.requested.filter(({ path }) => /create-phone-call|Calls\.json$/.test(path))

test('the AI calls a person once, with our call ID in the metadata', async () => {
  scenes.providers.script.respond = ({ path }) => (path === '/v2/create-phone-call' ? [201, taken] : [404])
  const { status, body } = await scene.agent.post('/calls', { to: person })
  expect([status, body.status, body.handled_by]).toEqual([201, 'queued', 'ai'])
  for (let n = 0; n < 3; n++) await scene.advance(body.id)
  expect(placed()).toMatchObject([
    { body: { from_number: '+13125550188', to_number: person, metadata: { gable_call_id: body.id } } },
  ])
  expect(await scene.read(body.id)).toMatchObject({ status: 'ringing', provider_call_id: 'call_1' })
})

test('a blocked call returns 422 and is kept; preflight reports the same and keeps nothing', async () => {
  const blocked = await scene.agent.post('/calls', { to: '+13125550178' })
  const { error } = blocked.body
  expect(blocked).toMatchObject({
    status: 422,
    body: { error: { code: 'compliance_blocked', reason: 'ai_consent_missing' } },
  })
  expect(await scene.read(error.call_id)).toMatchObject({
    status: 'blocked',
    compliance: { decision: 'blocked', reason: 'ai_consent_missing' },
  })
  expect(await scene.events(error.call_id)).toEqual(['call.created', 'call.blocked'])
  const { body } = await scene.agent.post('/calls/preflight', { to: '+13125550178' })
  expect(body).toMatchObject({ allowed: false, reason: 'ai_consent_missing', reasons: error.reasons })
  expect((await scene.agent.get('/calls')).body.data).toHaveLength(1)
})

test('calls count toward a state’s daily limit for calls and texts', async () => {
  const to = '+13055550177'
  const consent = {
    captured_at: '2026-01-02T15:00:00Z',
    source_url: 'https://lanternandoak.example/valuation',
  }
  await scene.agent.post('/leads', { phone: to, source: 'Website', skip_routing: true, consent })
  for (let n = 0; n < 3; n++) {
    scenes.providers.script.respond = () => [201, { call_id: `call_${n}`, call_status: 'registered' }]
    await scene.advance(idOf(await scene.agent.post('/calls', { to })))
  }
  for (const [path, body] of [
    ['/calls/preflight', { to }],
    ['/messages/preflight', { channel: 'sms', to, body: 'Hello.' }],
  ] as const)
    expect((await scene.agent.post(path, body)).body.reasons, path).toContain('frequency_cap')
})

test('a scheduled call waits for allowed hours, and an opt-out before then blocks it', async () => {
  scene.app.clock.set('2026-03-03T04:00:00.000Z')
  expect(await scene.agent.post('/calls', { to: person })).toMatchObject({
    status: 422,
    body: { error: { reason: 'quiet_hours', retry_at: expect.any(String) } },
  })
  const { status, body } = await scene.agent.post('/calls', { to: person, when_blocked: 'schedule' })
  expect([status, body.status, body.scheduled_at]).toEqual([201, 'queued', '2026-03-03T14:00:00.000Z'])
  await scene.advance(body.id)
  await scene.agent.post('/suppressions', { phone: person, kind: 'internal_dnc' })
  scene.app.clock.set('2026-03-03T14:00:00.000Z')
  await scene.advance(body.id)
  expect(placed()).toEqual([])
  expect(await scene.read(body.id)).toMatchObject({
    status: 'blocked',
    compliance: { reason: 'suppressed_internal_dnc' },
  })
})

test('a waiting call can be cancelled; one that has begun cannot', async () => {
  scene.app.clock.set('2026-03-03T04:00:00.000Z')
  const id = idOf(await scene.agent.post('/calls', { to: person, when_blocked: 'schedule' }))
  expect(await scene.agent.post(`/calls/${id}/cancel`)).toMatchObject({
    status: 200,
    body: { status: 'cancelled' },
  })
  expect(await scene.events(id)).toEqual(['call.created', 'call.cancelled'])
  scene.app.clock.set('2026-03-03T15:00:00.000Z')
  await scene.advance(id)
  expect(placed()).toEqual([])
  scenes.providers.script.respond = () => [201, taken]
  const begun = idOf(await scene.agent.post('/calls', { to: person }))
  await scene.advance(begun)
  for (const one of [id, begun])
    expect(await scene.agent.post(`/calls/${one}/cancel`)).toMatchObject({
      status: 409,
      body: { error: { code: 'call_not_cancellable' } },
    })
})

test('a cancellation that races with placing either holds or finds the call begun', async () => {
  for (let n = 0; n < 20; n++) {
    scenes.providers.script.respond = () => [201, { ...taken, call_id: `call_${n}` }]
    const id = idOf(await scene.agent.post('/calls', { to: person }))
    const before = placed().length
    const [{ status }] = await Promise.all([scene.agent.post(`/calls/${id}/cancel`), scene.advance(id)])
    expect([status, placed().length - before]).toEqual(status === 200 ? [200, 0] : [409, 1])
  }
})

test('a call or text to a number without a contact in reach is visible only to its member', async () => {
  const agent = await scene.workspace.keyFor((await scene.workspace.member()).id)
  const other = await scene.workspace.keyFor((await scene.workspace.member()).id)
  const { status, body } = await agent.post('/calls', { to: person })
  expect([status, body.contact_id]).toEqual([201, null])
  expect([
    (await agent.get(`/calls/${body.id}`)).status,
    (await other.get(`/calls/${body.id}`)).status,
  ]).toEqual([200, 404])
  const text = { channel: 'sms', to: person, body: 'See you on Saturday.' }
  const path = `/messages/${idOf(await agent.post('/messages', text))}`
  expect([(await agent.get(path)).status, (await other.get(path)).status]).toEqual([200, 404])
})

test('an inactive member cannot place a call', async () => {
  const member_id = await memberWithPhone()
  await setMemberActive(scene.workspace.ctx, member_id, false)
  for (const path of ['/calls', '/calls/preflight'])
    expect(await scene.agent.post(path, { to: person, member_id })).toMatchObject({
      status: 409,
      body: { error: { code: 'member_inactive', details: [{ path: 'member_id', message: 'is inactive' }] } },
    })
})

test('a call whose response was lost is looked up and never placed again', async () => {
  const { body } = await scene.agent.post('/calls', { to: person })
  scenes.providers.script.respond = ({ path }) => (path === '/v2/create-phone-call' ? 'reset' : [404])
  await scene.advance(body.id)
  expect(await scene.read(body.id)).toMatchObject({ status: 'unknown' })
  const found = { ...taken, metadata: { gable_call_id: body.id } }
  scenes.providers.script.respond = ({ path }) => {
    if (path === '/v3/list-calls') return [200, { items: [found], has_more: false }]
    return path === '/v2/get-call/call_1' ? [200, { ...found, call_status: 'ongoing' }] : [404]
  }
  scene.app.clock.advance(30_000)
  await scene.advance(body.id)
  expect(await scene.read(body.id)).toMatchObject({ status: 'in_progress', provider_call_id: 'call_1' })
  expect(placed()).toHaveLength(1)
})

test('a call surely not accepted is placed again up to four times, then fails', async () => {
  const { body } = await scene.agent.post('/calls', { to: person })
  scenes.providers.script.respond = () => [429]
  for (let n = 0; n < 8; n++) {
    await scene.advance(body.id)
    scene.app.clock.advance(11 * 60_000)
  }
  expect(placed()).toHaveLength(5)
  expect(await scene.read(body.id)).toMatchObject({
    status: 'failed',
    error: { code: 'provider_unavailable' },
  })
  expect(await scene.events(body.id)).toEqual(['call.created', 'call.completed'])
})

/** A member with a phone. */
async function memberWithPhone(): Promise<string> {
  const { id } = await scene.workspace.member()
  await asOwner(scene.app.databaseUrl, "update members set phone = '+13125550155' where id = $1", [id])
  return id
}

test('a scheduled call fails if the member is deactivated before it is placed', async () => {
  const member_id = await memberWithPhone()
  scene.app.clock.set('2026-03-03T04:00:00.000Z')
  const draft = { to: person, member_id, when_blocked: 'schedule' }
  const id = idOf(await scene.agent.post('/calls', draft))
  await setMemberActive(scene.workspace.ctx, member_id, false)
  scene.app.clock.set('2026-03-03T14:00:00.000Z')
  await scene.advance(id)
  expect(placed()).toEqual([])
  expect(await scene.read(id)).toMatchObject({ status: 'failed', error: { code: 'member_unreachable' } })
})

test('a member’s call rings the member, then the person, and both legs are one call', async () => {
  const member = await scene.workspace.member()
  const draft = { contact_id: scene.contactId, member_id: member.id }
  expect((await scene.agent.post('/calls', draft)).body.error.details).toMatchObject([{ path: 'member_id' }])
  const signedIn = await scene.agent.patch(`/members/${member.id}`, { phone: '+13125550155' })
  if (signedIn.status !== 200)
    await asOwner(scene.app.databaseUrl, "update members set phone = '+13125550155' where id = $1", [
      member.id,
    ])
  const sid = `CA${'0123456789abcdef'.repeat(2)}`
  scenes.providers.script.respond = () => [201, { sid, status: 'queued' }]
  const id = idOf(await scene.agent.post('/calls', draft))
  await scene.advance(id)
  const [{ body: form }] = placed() as unknown as [{ body: Record<string, string> }]
  expect(form).toMatchObject({ From: '+13125550188', To: '+13125550155' })
  const confirmed = await scene.twilio(id, 'connect', { CallSid: sid, Digits: '1' })
  expect(confirmed.body).toContain(`>${person}</Number>`)
  expect((await scene.twilio(id, 'announce', { CallSid: 'CA2' })).body).toContain(
    '<Say>This call is recorded.</Say>',
  )
  const legs = [
    ['contact', { ParentCallSid: sid, CallSid: 'CA2', CallStatus: 'completed', CallDuration: '42' }],
    ['contact', { ParentCallSid: sid, CallSid: 'CA2', CallStatus: 'in-progress' }],
    ['member', { CallSid: sid, CallStatus: 'completed', CallDuration: '55' }],
  ] as const
  for (const [kind, said] of [...legs, ...legs]) expect((await scene.twilio(id, kind, said)).status).toBe(200)
  expect(await scene.read(id)).toMatchObject({
    status: 'completed',
    handled_by: 'human',
    member_id: member.id,
    duration_seconds: 42,
    provider_call_id: sid,
  })
  scene.app.clock.advance(60_000)
  await scene.advance(id)
  await scene.advance(id)
  expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
})

test('an answered call keeps its duration even if the end of the person’s leg is never reported', async () => {
  const member_id = await memberWithPhone()
  const sid = `CA${'0123456789abcdef'.repeat(2)}`
  scenes.providers.script.respond = () => [201, { sid, status: 'queued' }]
  const id = idOf(await scene.agent.post('/calls', { to: person, member_id }))
  await scene.advance(id)
  await scene.twilio(id, 'contact', { ParentCallSid: sid, CallSid: 'CA2', CallStatus: 'in-progress' })
  scene.app.clock.advance(120_000)
  await scene.twilio(id, 'member', { CallSid: sid, CallStatus: 'completed', CallDuration: '125' })
  expect(await scene.read(id)).toMatchObject({ status: 'completed', duration_seconds: 120 })
})

test('with recording off, nothing is announced and no provider recording is copied', async () => {
  await scene.agent.patch('/compliance-settings', { record_calls: false })
  const member = await scene.workspace.member()
  await asOwner(scene.app.databaseUrl, "update members set phone = '+13125550155' where id = $1", [member.id])
  const sid = `CA${'0123456789abcdef'.repeat(2)}`
  scenes.providers.script.respond = () => [201, { sid, status: 'queued' }]
  const id = idOf(await scene.agent.post('/calls', { contact_id: scene.contactId, member_id: member.id }))
  await scene.advance(id)
  const [{ body: form }] = placed() as unknown as [{ body: Record<string, string> }]
  const confirmed = await scene.twilio(id, 'connect', { CallSid: sid, Digits: '1' })
  expect(confirmed.body).toContain(`>${person}</Number>`)
  expect(form['Twiml'] + confirmed.body).not.toMatch(/record|announce/)
  await scene.twilio(id, 'contact', {
    ParentCallSid: sid,
    CallSid: 'CA2',
    CallStatus: 'completed',
    CallDuration: '9',
  })
  const RecordingUrl = `${scenes.providers.origin}/2010-04-01/Accounts/AC1/Recordings/RE1`
  await scene.twilio(id, 'recording', { CallSid: sid, RecordingUrl })
  scenes.providers.requested.length = 0
  await scene.advance(id)
  expect(scenes.providers.requested).toEqual([])
  expect(await scene.read(id)).toMatchObject({ status: 'completed', recording_url: null })
})

test.for([{}, { to: '911' }, { contact_id: 'no-one' }, { to: person, member_id: 'no-one' }])(
  'a call without a valid recipient or member is rejected: %j',
  async (draft) => {
    expect([400, 404]).toContain((await scene.agent.post('/calls', draft)).status)
  },
)

test.for([21211, 21614])(
  'a member’s phone that Twilio rejects (%s) does not mark the person’s number as bad',
  async (code) => {
    const member_id = await memberWithPhone()
    const id = idOf(await scene.agent.post('/calls', { to: person, member_id }))
    scenes.providers.script.respond = () => [400, { code, message: "The 'To' number is not valid." }]
    await scene.advance(id)
    expect(await scene.read(id)).toMatchObject({
      status: 'failed',
      disposition: null,
      error: {
        code: 'member_unreachable',
        carrier_code: String(code),
        message: "The member's phone number cannot be called.",
      },
    })
  },
)
