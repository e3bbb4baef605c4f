import { beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  historyOf,
  messagesTo,
  openAutomations,
  post,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import { idOf } from '#test/support/fixtures.ts'

openAutomations()

interface Stage {
  id: string
  name: string
  outcome: string
}
let stages: Record<string, Stage[]>
beforeAll(async () => {
  const { data } = (await get('/pipelines')) as { data: { name: string; stages: Stage[] }[] }
  stages = Object.fromEntries(data.map((one) => [one.name, one.stages]))
})

const enroll = async (automation: string, contact_id: string, context?: object) =>
  idOf(await post(`/automations/${automation}/enroll`, { contact_id, ...(context && { context }) }))
let people = 0
const person = async () => {
  const email = `grace${++people}@reyes.example`
  return { email, contact: idOf(await post('/contacts', { first_name: 'Grace', email })) }
}

test('a route step assigns the lead of the contact, and is skipped if there is none', async () => {
  const id = await enabled({ steps: [{ key: 'route', type: 'route' }] })
  const { id: agentId } = await emailing.workspace.member()
  const lead = (await post('/leads', { phone: '+13125550111', source: 'Website', skip_routing: true })).body
  expect(lead['assignee_id']).toBeNull()
  const enrollment = await enroll(id, lead['contact_id'])
  await tick()
  expect(await historyOf(enrollment)).toEqual(['route done assigned'])
  expect(await get(`/leads/${lead['id']}`)).toMatchObject({ assignee_id: agentId })
  const [step] = (await get(`/enrollments/${enrollment}`)).steps
  expect(step.refs).toEqual({ lead_id: lead['id'], member_id: agentId })
  const without = await enroll(id, (await person()).contact)
  await tick()
  expect(await historyOf(without)).toEqual(['route skipped no_lead'])
})

test('a move_deal step moves the deal in the context, or else the newest open deal', async () => {
  const buyers = orNotFound(stages['Buyers'])
  const second = orNotFound(buyers.filter(({ outcome }) => outcome === 'open')[1])
  const toStage = await enabled({ steps: [{ key: 'move', type: 'move_deal', stage_id: second.id }] })
  const toWon = await enabled({ steps: [{ key: 'won', type: 'move_deal', status: 'won' }] })
  const { contact } = await person()
  const none = await enroll(toStage, contact)
  await tick()
  expect(await historyOf(none)).toEqual(['move skipped no_deal'])
  const first = idOf(await post('/deals', { contact_ids: [contact] }))
  const newest = idOf(await post('/deals', { contact_ids: [contact] }))
  const moved = await enroll(toStage, contact)
  await tick()
  expect(await historyOf(moved)).toEqual(['move done'])
  expect(await get(`/deals/${newest}`)).toMatchObject({ stage_id: second.id })
  await enroll(toWon, contact, { deal_id: first })
  await tick()
  expect(await get(`/deals/${first}`)).toMatchObject({ status: 'won' })
  expect(await get(`/deals/${newest}`)).toMatchObject({ status: 'open' })
  const other = await person()
  const pipeline = (await get('/pipelines')).data.find(({ name }: Stage) => name === 'Sellers')
  await post('/deals', { contact_ids: [other.contact], pipeline_id: pipeline.id })
  const elsewhere = await enroll(toStage, other.contact)
  await tick()
  expect(await historyOf(elsewhere)).toEqual(['move skipped other_pipeline'])
})

test('a reminder has the time and place, ignores marketing opt-outs, and needs an appointment', async () => {
  const id = await enabled({ steps: [{ key: 'remind', type: 'appointment_reminder', channel: 'email' }] })
  const { contact, email } = await person()
  const none = await enroll(id, contact)
  await tick()
  expect(await historyOf(none)).toEqual(['remind skipped no_appointment'])
  const { id: host } = await emailing.workspace.member()
  const at = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString()
  await post('/appointments', {
    type: 'showing',
    contact_id: contact,
    host_id: host,
    starts_at: at(24),
    ends_at: at(25),
    timezone: 'America/Chicago',
    location: '12 Elm Street',
  })
  // A contact who opted out of marketing emails still gets reminders.
  await post('/suppressions', { kind: 'opted_out', email })
  await enroll(id, contact)
  await tick()
  expect(await messagesTo(email)).toMatchObject([
    {
      status: 'queued',
      source: 'automation',
      subject: 'Reminder: showing, Tuesday, March 3 at 10:00 AM CST',
      body: 'Lantern & Oak: a reminder of your showing on Tuesday, March 3 at 10:00 AM CST, 12 Elm Street. Reply to this message if you need another time.',
    },
  ])
})

test.for<[string, object, string]>([
  ['neither stage nor status', {}, 'definition.steps.0.stage_id'],
  ['both', { stage_id: 'cmi8h2k5p0001zq8r4t6w9x3y', status: 'won' }, 'definition.steps.0.stage_id'],
])('a move_deal step with %s is rejected with the path of the error', async ([, more, path]) => {
  const definition = { steps: [{ key: 'move', type: 'move_deal', ...more }] }
  const { status, body } = await post('/automations/validate', { definition })
  expect([status, body['error'].details[0].path]).toEqual([400, path])
})

test('an unknown stage is rejected; a marketing text gets a warning that it needs written consent', async () => {
  const stage_id = 'cmi8h2k5p0001zq8r4t6w9x3y'
  const unknown = await post('/automations/validate', {
    definition: { steps: [{ key: 'move', type: 'move_deal', stage_id }] },
  })
  expect([unknown.status, unknown.body['error'].details[0].path]).toEqual([
    400,
    'definition.steps.0.stage_id',
  ])
  const text = { key: 'hi', type: 'send', channel: 'sms', body: 'Hi' }
  const reminder = { key: 'remind', type: 'appointment_reminder', channel: 'sms' }
  const { body } = await post('/automations/validate', { definition: { steps: [reminder, text] } })
  expect(body).toMatchObject({
    valid: true,
    warnings: [{ path: 'definition.steps.1', message: expect.stringContaining('written consent') }],
  })
})

test('an enroll step is skipped with the reason if the contact cannot enter, and stop withdraws one that can', async () => {
  const open = await enabled({ steps: [waitStep('w', 60)] })
  const closed = await enabled({ steps: [waitStep('w', 60)] })
  await post(`/automations/${closed}/disable`)
  const into = (key: string, automation_id: string) => ({ key, type: 'enroll', automation_id })
  const { contact, enrollment } = await enrolled(
    await enabled({
      steps: [
        into('closed', closed),
        into('open', open),
        { key: 'stop', type: 'stop', automation_id: open },
        into('again', open),
      ],
    }),
  )
  await tick()
  expect(await historyOf(enrollment)).toEqual([
    'closed skipped disabled',
    'open done',
    'stop done',
    'again done',
  ])
  await tick()
  const { data } = await get(`/automations/${open}/enrollments`)
  expect(data).toMatchObject([{ contact_id: contact, status: 'running' }])
  const second = await enroll(await enabled({ steps: [into('open', open)] }), contact)
  await tick()
  expect(await historyOf(second)).toEqual(['open skipped active'])
  const outcomesOf = async (id: string) =>
    (await get(`/automations/${id}/entries`))['data'].map(({ outcome }: { outcome: string }) => outcome)
  expect([await outcomesOf(closed), await outcomesOf(open)]).toEqual([['disabled'], ['active', 'entered']])
})

test('a note of an automation does not pause the AI', async () => {
  const { contact } = await enrolled(await enabled({ steps: [{ key: 'n', type: 'note', body: 'Called.' }] }))
  await tick()
  expect(await get(`/contacts/${contact}`)).toMatchObject({ ai_auto_response: 'active' })
})
