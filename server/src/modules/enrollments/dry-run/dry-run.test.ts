import { expect, test } from 'vitest'
import {
  app,
  emailing,
  enabled,
  get,
  openAutomations,
  post,
  send,
  tagStep,
  waitStep,
} from '#test/scenes/automations.ts'
import { addContact, dryRun, inMinutes, seen } from '#test/scenes/dry-runs.ts'
import { fingerprint } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'

openAutomations()

type Json = Record<string, unknown>

test('a dry run shows each step with its time, and each message with its text and verdict', async () => {
  const contact = await addContact()
  const body = await dryRun(
    { steps: [send('hello'), waitStep('w', 30), tagStep('vip'), { key: 't', type: 'task', title: 'Call' }] },
    contact,
  )
  expect(seen(body)).toEqual(['hello done 0', 'w done 30', 'vip done 30', 't done 30'])
  expect(body).toMatchObject({ status: 'completed', version: null, ended_at: inMinutes(30) })
  expect((body['steps'] as Json[])[0]).toMatchObject({
    verdict: { allowed: true, reason: null, retry_at: null },
    message: {
      channel: 'email',
      subject: 'Still looking, Ada?',
      body: 'Hi Ada, this is Lantern & Oak.',
    },
  })
})

test('a dry run applies the changes of each step to later branches and exits', async () => {
  const contact = await addContact()
  const { id: member } = await emailing.workspace.member()
  const isVip = { field: 'contact.tags', operator: 'has_any', value: ['vip'] }
  const branch = {
    key: 'b',
    type: 'branch',
    branches: [{ conditions: isVip, steps: [tagStep('gold')] }],
    else: [tagStep('silver')],
  }
  expect(seen(await dryRun({ steps: [tagStep('vip'), branch] }, contact))).toEqual([
    'vip done 0',
    'b done branch 1 0',
    'gold done 0',
  ])
  expect(seen(await dryRun({ steps: [branch] }, contact))).toEqual(['b done else 0', 'silver done 0'])
  const trashed = { steps: [{ key: 's', type: 'stage', stage: 'TRASH' }, tagStep('never')] }
  expect(await dryRun(trashed, contact)).toMatchObject({ status: 'exited', reason: 'trash' })
  const owned = {
    exits: [{ when: 'owner_changed' }],
    steps: [{ key: 'o', type: 'owner', member_id: member }, waitStep('w', 5), tagStep('never')],
  }
  const body = await dryRun(owned, contact)
  expect([seen(body), body['status'], body['reason']]).toEqual([['o done 0'], 'exited', 'owner_changed'])
})

test('a dry run defers a message to its send window, and gives the reason for a blocked one', async () => {
  const contact = await addContact()
  const window = { from: '13:00', to: '14:00', zone: 'workspace' }
  const deferred = await dryRun({ send_window: window, steps: [send('hello')] }, contact)
  const [first, second] = deferred['steps'] as Json[]
  expect(first).toMatchObject({
    outcome: 'deferred',
    reason: 'send_window',
    verdict: { allowed: false, reason: 'send_window', retry_at: second?.['at'] },
  })
  expect(second).toMatchObject({ step_key: 'hello', outcome: 'done' })

  const nowhere = idOf(await post('/contacts', { first_name: 'Ben' }))
  expect(seen(await dryRun({ steps: [send('a'), tagStep('on')] }, nowhere))).toEqual([
    'a blocked email_missing 0',
    'on done 0',
  ])
  const stops = { steps: [send('a', { on_blocked: 'exit' }), tagStep('on')] }
  expect(await dryRun(stops, nowhere)).toMatchObject({ status: 'exited', reason: 'blocked' })
  const email = 'suppressed@reyes.example'
  const suppressed = await addContact({ email })
  await post('/suppressions', { kind: 'manual', email })
  expect(seen(await dryRun({ steps: [send('a')] }, suppressed))).toEqual(['a blocked suppressed_manual 0'])
})

test('days_since fields count simulated outbound and assumed inbound messages', async () => {
  const contact = await addContact()
  const branchOn = (field: string) => ({
    key: field.slice(-7),
    type: 'branch',
    branches: [{ conditions: { field, operator: 'gte', value: 2 }, steps: [tagStep('long')] }],
    else: [tagStep('short')],
  })
  const steps = (field: string) => ({ steps: [send('hello'), waitStep('w', 3 * 1440), branchOn(field)] })
  expect(seen(await dryRun(steps('days_since.outbound'), contact)).at(-1)).toBe('long done 4320')
  expect(seen(await dryRun(steps('days_since.inbound'), contact)).at(-1)).toBe('short done 4320')
  const assume = [{ at: inMinutes(60), event: 'message.received' }]
  expect(seen(await dryRun(steps('days_since.inbound'), contact, { assume })).at(-1)).toBe('long done 4320')
})

test('an assumed event triggers an exit or ends a wait; without one, the wait times out', async () => {
  const contact = await addContact()
  const reply = (minutes: number) => [{ at: inMinutes(minutes), event: 'message.received' }]
  const exits = { exits: [{ when: 'replied' }], steps: [waitStep('w', 60), tagStep('late')] }
  expect(await dryRun(exits, contact, { assume: reply(20) })).toMatchObject({
    status: 'exited',
    reason: 'replied',
    steps: [],
    ended_at: inMinutes(20),
  })
  expect(await dryRun(exits, contact, { assume: reply(70) })).toMatchObject({ status: 'completed' })
  const forged = reply(20).map((one) => ({ ...one, data: { sender_verified: false } }))
  expect(await dryRun(exits, contact, { assume: forged })).toMatchObject({ status: 'completed' })

  const waits = {
    steps: [
      {
        key: 'r',
        type: 'wait_for',
        events: [
          {
            event: 'call.completed',
            conditions: { field: 'event.disposition', operator: 'eq', value: 'appointment_set' },
            steps: [tagStep('set')],
          },
          { event: 'message.received', steps: [tagStep('replied')] },
        ],
        timeout: { hours: 1 },
        on_timeout: [tagStep('silent')],
      },
      tagStep('after'),
    ],
  }
  expect(seen(await dryRun(waits, contact))).toEqual(['r done timeout 60', 'silent done 60', 'after done 60'])
  const call = (disposition: string) => [
    { at: inMinutes(5), event: 'call.completed', data: { disposition } },
    ...reply(40),
  ]
  expect(seen(await dryRun(waits, contact, { assume: call('appointment_set') }))[1]).toBe('set done 5')
  expect(seen(await dryRun(waits, contact, { assume: call('left_voicemail') }))[1]).toBe('replied done 40')
})

test('a dry run uses the latest version, a given one, or the draft, and starts at a given time', async () => {
  const contact = await addContact()
  const id = await enabled({ steps: [tagStep('one')] })
  await emailing.agent.patch(`/automations/${id}`, { definition: { steps: [tagStep('two')] } })
  await post(`/automations/${id}/publish`)
  const run = async (path: string, more: object = {}) =>
    (await post(`/automations/${path}/dry-run`, { contact_id: contact, ...more })).body
  expect(await run(id)).toMatchObject({ version: 2, steps: [{ step_key: 'two' }] })
  expect(await run(id, { version: 1 })).toMatchObject({ version: 1, steps: [{ step_key: 'one' }] })
  const draft = idOf(await post('/automations', { name: 'New', definition: { steps: [tagStep('x')] } }))
  expect(await run(draft, { at: inMinutes(600) })).toMatchObject({
    version: null,
    steps: [{ step_key: 'x', at: inMinutes(600) }],
  })
})

test('a dry run stops after five years and rejects invalid parameters', async () => {
  const contact = await addContact()
  const year = (key: string) => ({ key, type: 'wait', for: { days: 366 } })
  const long = { steps: [...'abcdef'].map(year) }
  const body = await dryRun(long, contact)
  expect([body['status'], body['reason'], (body['steps'] as Json[]).length]).toEqual([
    'unfinished',
    'too_long',
    5,
  ])
  const id = await enabled({ steps: [tagStep('one')] })
  const issues = async (more: object) => {
    const { status, body: rejected } = await post(`/automations/${id}/dry-run`, {
      contact_id: contact,
      ...more,
    })
    return [status, ...(rejected['error'].details ?? []).map(({ path }: Json) => path)]
  }
  expect(await issues({ at: inMinutes(-60) })).toEqual([400, 'at'])
  expect(await issues({ version: 9 })).toEqual([400, 'version'])
  expect(await issues({ contact_id: contact.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')) })).toEqual([
    404,
    'contact_id',
  ])
  expect(
    await issues({
      assume: [
        { at: inMinutes(-1), event: 'message.received' },
        { at: inMinutes(1), event: 'message.recieved' },
      ],
    }),
  ).toEqual([400, 'assume.0.at', 'assume.1.event'])
  expect((await issues({ definition: { steps: [{ key: 'A', type: 'wait', for: { days: 1 } }] } }))[0]).toBe(
    400,
  )
})

test('a dry run writes nothing', async () => {
  const contact = await addContact()
  const { id: member } = await emailing.workspace.member()
  const other = await enabled({ steps: [tagStep('one')] })
  const id = await enabled({
    steps: [
      send('a'),
      tagStep('b'),
      { key: 'c', type: 'stage', stage: 'NURTURE' },
      { key: 'd', type: 'owner', member_id: member },
      { key: 'e', type: 'note', body: 'Called.' },
      { key: 'f', type: 'task', title: 'Call' },
      { key: 'g', type: 'notify_member', message: 'Call.', member_id: member },
      { key: 'h', type: 'pause_ai' },
      { key: 'i', type: 'enroll', automation_id: other },
      { key: 'j', type: 'stop', automation_id: other },
      waitStep('k', 60),
      send('l'),
    ],
  })
  const before = await fingerprint(app.databaseUrl)
  const { status, body } = await post(`/automations/${id}/dry-run`, { contact_id: contact })
  expect([status, body['steps'].length]).toEqual([200, 12])
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
  expect((await get(`/contacts/${contact}`))['tags']).toEqual([])
})

test('a dry run masks email addresses in messages without contacts:read:pii', async () => {
  const contact = await addContact()
  const id = await enabled({ steps: [send('a', { body: 'Write to ada@reyes.example' })] })
  const clerk = await emailing.workspace.credential('automations:read', 'contacts:read')
  const masked = await clerk.post(`/automations/${id}/dry-run`, { contact_id: contact })
  expect(masked.body['steps'][0].message.body).toBe('Write to a***@reyes.example')
  const reader = await emailing.workspace.credential('automations:read')
  const without = await reader.post(`/automations/${id}/dry-run`, { contact_id: contact })
  expect([without.status, without.body['error'].code]).toEqual([403, 'insufficient_scope'])
})

test('a dry run skips a route step without a lead and a move_deal step without a deal', async () => {
  const contact = await addContact()
  const steps = [
    { key: 'r', type: 'route' },
    { key: 'm', type: 'move_deal', status: 'won' },
  ]
  expect(seen(await dryRun({ steps }, contact))).toEqual(['r skipped no_lead 0', 'm skipped no_deal 0'])
  await post('/deals', { contact_ids: [contact], name: 'Reyes' })
  expect(seen(await dryRun({ steps }, contact))).toEqual(['r skipped no_lead 0', 'm done assumed 0'])
})
