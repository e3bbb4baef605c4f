import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { idOf } from '#test/support/fixtures.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { processCall } from '../../src/modules/calls/process-call.ts'
import { createSender, listConnections, listSenders, openAccount } from '../../src/modules/senders/public.ts'
import { handsetOf } from './handset.ts'

const now = '2026-03-02T15:00:00.000Z'
const opened = new AsyncDisposableStack()
let carrier: SimulatedCarrier
let app: TestApp

beforeAll(async () => {
  carrier = opened.use(
    await startCarrier({ host: '127.0.0.1', port: 0, now: () => app.clock.now(), deliveryMs: 10 }),
  )
  app = opened.use(
    await testApp({
      now,
      role: 'all',
      databaseUrl: await freshDatabase('calls_whole_way'),
      simulatedCarrierUrl: carrier.origin,
    }),
  )
})
afterAll(() => opened.disposeAsync())

type Call = Record<string, unknown>

const handset = (number: string) => handsetOf(carrier.phoneUrl, number)

/** Places a call to a person who has consented, with the server's own worker and the real protocols. */
async function callTo(to: string, { byMember = false, recorded = true, memberPhone = '+13125550155' } = {}) {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  await readyToSend(workspace)
  await agent.post('/leads', {
    phone: to,
    source: 'Website',
    skip_routing: true,
    consent: { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lanternandoak.example/a' },
  })
  await agent.patch('/compliance-settings', { record_calls: recorded })
  const member = await workspace.member()
  await asOwner(app.databaseUrl, 'update members set phone = $2 where id = $1', [member.id, memberPhone])
  const id = idOf(await agent.post('/calls', { to, ...(byMember && { member_id: member.id }) }))
  const read = async (): Promise<Call> => (await agent.get(`/calls/${id}`)).body
  const until = (condition: (call: Call) => boolean) =>
    eventually(async () => {
      const call = await read()
      if (condition(call)) return call
      throw new Error(`The call is still ${JSON.stringify(call)}`)
    })
  const events = async () =>
    (
      await asOwner<{ name: string }>(
        app.databaseUrl,
        "select name from events where subject_id = $1 and name = 'call.completed'",
        [id],
      )
    ).length
  return { workspace, agent, id, read, until, events }
}

const isOver = ({ status }: Call) => !['queued', 'ringing', 'in_progress', 'unknown'].includes(String(status))

test.concurrent.for([
  ['01', 'completed', 'appointment_set', true],
  ['82', 'no_answer', 'no_answer', false],
  ['83', 'failed', 'bad_number', false],
  ['84', 'completed', 'left_voicemail', true],
  ['88', 'completed', 'appointment_set', true],
  ['92', 'completed', 'appointment_set', true],
  ['93', 'completed', 'do_not_call', true],
  ['94', 'completed', 'do_not_call', true],
] as const)('the AI calls 555-01%s: %s, %s', async ([digits, status, disposition, talks]) => {
  const { until, events } = await callTo(`+131255501${digits}`)
  const call = await until(
    (one) => isOver(one) && one['disposition'] !== null && (!talks || one['recording_url'] !== null),
  )
  expect(call).toMatchObject({ status, disposition })
  await eventually(async () => (await events()) === 1)
  if (!talks) return
  expect(call['ai_disclosed']).toBe(true)
  const [first] = call['transcript'] as { text: string }[]
  expect(first?.text).toMatch(/AI assistant of .+ This call is recorded\. .*"stop calling"/)
  const recording = await fetch(String(call['recording_url']))
  expect(recording.headers.get('content-type')).toBe('audio/wav')
  expect((await recording.arrayBuffer()).byteLength).toBeLessThanOrEqual(200_000)
})

test.concurrent.for(['03', '88'])(
  'the AI calls 555-01%s unrecorded: the transcript is reported, and the provider stores none',
  async (digits) => {
    const { until, workspace } = await callTo(`+131255501${digits}`, { recorded: false })
    const call = await until((one) => isOver(one) && one['disposition'] !== null)
    expect(call).toMatchObject({ status: 'completed', recording_url: null, ai_disclosed: true })
    expect((call['transcript'] as { text: string }[])[0]?.text).not.toMatch(/record/)
    const connections = await listConnections(workspace.ctx.directory, workspace.id)
    const retell = orNotFound(connections.find(({ provider }) => provider === 'retell'))
    const [key = ''] = orNotFound(await openAccount(workspace.ctx, retell.id)).secrets
    const url = `${carrier.origin}/v2/get-call/${String(call['provider_call_id'])}`
    const stored = await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).text()
    expect(stored).toContain('"call_status":"ended"')
    expect(stored).not.toMatch(/transcript|recording_url|AI assistant/)
  },
)

test.concurrent.for([true, false])(
  'a call without reports is found by lookup, with its recording; by a member: %s',
  async (byMember) => {
    const { id, workspace, until } = await callTo('+13125550191', { byMember })
    const call = await until((one) => {
      void processCall(workspace.ctx, { voice: app.voice, files: app.files }, id)
      return isOver(one) && one['recording_url'] !== null
    })
    expect(call).toMatchObject({
      status: 'completed',
      disposition: byMember ? null : 'appointment_set',
      recording_url: expect.any(String),
    })
  },
)

test.concurrent.for([
  ['02', 'completed', null],
  ['82', 'no_answer', 'no_answer'],
  ['83', 'failed', 'bad_number'],
  ['92', 'completed', null],
] as const)('a member calls 555-01%s: %s', async ([digits, status, disposition]) => {
  const { until } = await callTo(`+131255501${digits}`, { byMember: true })
  const call = await until((one) => isOver(one) && (status !== 'completed' || one['recording_url'] !== null))
  expect(call).toMatchObject({ status, disposition, handled_by: 'human' })
})

test.concurrent('a member’s voicemail presses no key, so the person is not called', async () => {
  const { until } = await callTo('+13125550104', { byMember: true, memberPhone: '+13125550184' })
  expect(await until(isOver)).toMatchObject({ status: 'no_answer', error: { code: 'member_unreachable' } })
})

test.concurrent('a member’s decline on their handset cancels the call', async () => {
  const member = handset('+13125550157')
  await member.frame()
  const { until } = await callTo('+13125550105', { byMember: true, memberPhone: '+13125550157' })
  await member.shows('Decline')
  await member.press({ press: 'decline' })
  expect(await until(isOver)).toMatchObject({ status: 'cancelled' })
})

test.concurrent('a person is called once the member answers on their handset and presses a key', async () => {
  const [member, to] = [handset('+13125550158'), handset('+13125550106')]
  await member.frame()
  const { until } = await callTo('+13125550106', { byMember: true, memberPhone: '+13125550158' })
  await member.shows('Answer')
  await member.press({ press: 'answer' })
  await member.shows('Press any key')
  expect(await to.frame()).toContain('There are no calls')
  await member.press({ key: '1' })
  await to.shows('Answer')
  await to.press({ press: 'answer' })
  await member.press({ press: 'hang up' })
  expect(await until(isOver)).toMatchObject({ status: 'completed' })
})

test.concurrent('a line that a person says on their handset is in the transcript', async () => {
  const to = '+13125550142'
  const page = `${carrier.phoneUrl}/${encodeURIComponent(to)}`
  const frame = async () => (await fetch(`${page}/calls`)).text()
  await frame()
  const { until } = await callTo(to)
  await eventually(async () => (await frame()).includes('Answer'))
  const [, call = ''] = /name="call" value="([^"]+)"/.exec(await frame()) ?? []
  const press = (form: Record<string, string>) =>
    fetch(page, { method: 'POST', body: new URLSearchParams({ call, ...form }) })
  await press({ press: 'answer' })
  await press({ press: 'say', text: 'Is the garden large?' })
  await eventually(async () => (await frame()).includes('Is the garden large?'))
  await press({ press: 'hang up' })
  const { transcript } = await until((one) => isOver(one) && one['transcript'] !== null)
  expect(transcript).toEqual(
    expect.arrayContaining([expect.objectContaining({ speaker: 'contact', text: 'Is the garden large?' })]),
  )
})

async function connectNumber({ ctx }: TestWorkspace, number: string): Promise<void> {
  const sender = orNotFound((await listSenders(ctx.db)).find(({ address }) => address === number))
  const account = orNotFound(await openAccount(ctx, sender.connection_id))
  expect(await app.carriers.twilio?.connectSender?.(account, number)).toBe(true)
}

test('a caller to the AI’s number hears its disclosure, and "stop calling" is recorded', async () => {
  const { agent, until, workspace } = await callTo('+13125550107')
  await connectNumber(workspace, '+13125550188')
  await until(isOver)
  const id = idOf(await agent.post('/calls', { to: '+13125550107' }))
  await eventually(async () => isOver((await agent.get(`/calls/${id}`)).body))
  const caller = handset('+13125550175')
  expect((await caller.call('+13125550188', 'agent')).status).toBe(200)
  await caller.shows('AI assistant')
  await caller.press({ press: 'say', text: 'Please stop calling me.' })
  await caller.press({ press: 'hang up' })
  const incoming = async (): Promise<Call | undefined> =>
    (await agent.get('/calls?direction=INBOUND')).body.data[0]
  await eventually(async () => (await incoming())?.['disposition'] === 'do_not_call')
  expect(await incoming()).toMatchObject({
    handled_by: 'ai',
    status: 'completed',
    from: '+13125550175',
    to: '+13125550188',
    ai_disclosed: true,
  })
})

describe('a call from a handset', () => {
  const ours = '+13125550166'
  const memberPhone = '+13125550155'

  /** A workspace with the number, and a member with a phone who owns the calling contact. */
  async function office(from: string) {
    const workspace = await app.workspace()
    const agent = await workspace.credential()
    await createSender(workspace.ctx, {
      kind: '10dlc',
      address: ours,
      registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
    })
    await connectNumber(workspace, ours)
    const member = await workspace.member()
    await asOwner(app.databaseUrl, 'update members set phone = $2 where id = $1', [member.id, memberPhone])
    const contact_id = idOf(
      await agent.post('/contacts', { first_name: 'Ada', phone: from, owner_id: member.id }),
    )
    const until = async (condition: (call: Call) => boolean): Promise<Call> => {
      let call: Call | undefined
      await eventually(async () => {
        const { data } = (await agent.get('/calls')).body
        call = data[0]
        return call !== undefined && condition(call)
      })
      return orNotFound(call)
    }
    return { workspace, contact_id, member_id: member.id, until }
  }

  test('is answered by the owner and recorded', async () => {
    const [from, caller, member] = ['+13125550171', handset('+13125550171'), handset(memberPhone)]
    const { until, contact_id, member_id } = await office(from)
    await member.frame()
    expect((await caller.call(ours)).status).toBe(200)
    await member.shows('Answer')
    await member.press({ press: 'answer' })
    await caller.press({ press: 'say', text: 'Is the garden large?' })
    await member.shows('Caller: Is the garden large?')
    await member.press({ press: 'say', text: 'It is.' })
    await caller.shows('They: It is.')
    await caller.press({ press: 'hang up' })
    const call = await until((one) => isOver(one) && one['recording_url'] !== null)
    expect(call).toMatchObject({ direction: 'INBOUND', status: 'completed', contact_id, member_id })
    const recording = await fetch(String(call['recording_url']))
    expect(recording.headers.get('content-type')).toBe('audio/wav')
  })

  test('that the owner declines takes a message', async () => {
    const [from, caller, member] = ['+13125550172', handset('+13125550172'), handset(memberPhone)]
    const { until, workspace } = await office(from)
    await member.frame()
    await caller.call(ours)
    await member.shows('Decline')
    await member.press({ press: 'decline' })
    await caller.shows('leave a message')
    const { id } = await until(() => true)
    await processCall(workspace.ctx, { voice: app.voice, files: app.files }, String(id))
    expect(await until(() => true)).toMatchObject({ status: 'ringing' })
    await caller.press({ press: 'say', text: 'Please call me back.' })
    await caller.press({ press: 'hang up' })
    const call = await until((one) => isOver(one) && one['recording_url'] !== null)
    expect(call).toMatchObject({ status: 'no_answer', disposition: 'left_voicemail' })
  })

  test('that ends while it rings is missed', async () => {
    const [from, caller, member] = ['+13125550173', handset('+13125550173'), handset(memberPhone)]
    const { until } = await office(from)
    await member.frame()
    await caller.call(ours)
    await member.shows('Answer')
    await caller.press({ press: 'hang up' })
    expect(await until(isOver)).toMatchObject({ status: 'no_answer', disposition: 'no_answer' })
    await member.shows('has ended')
  })

  test('to a number without an account is rejected with 400', async () => {
    const response = await handset('+13125550174').call('+13125559999')
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('No account takes calls at that number.'),
    ])
  })
})
