import { expect, test } from 'vitest'
import {
  app,
  emailing,
  enabled,
  get,
  openAutomations,
  post,
  tagStep,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import { addContact, dryRun, inMinutes, seen } from '#test/scenes/dry-runs.ts'
import { idOf } from '#test/support/fixtures.ts'
import { startTexting } from '#test/support/texting.ts'
import { stepShapes } from '../../automations/definition/step-types.ts'

openAutomations()

type Json = Record<string, unknown>

test('a dry run ends at once if an exit holds before the first step', async () => {
  const contact = await addContact({ tags: ['done'] })
  const definition = { exits: [{ when: 'tag', tag: 'done' }], steps: [waitStep('w', 1440)] }
  expect(await dryRun(definition, contact)).toMatchObject({
    status: 'exited',
    reason: 'tag',
    ended_at: inMinutes(0),
  })
})

test.each([
  [
    { when: 'tag', tag: 'vip' },
    { event: 'contact.tag_added', data: { tag: 'vip' } },
  ],
  [
    { when: 'stage', stage: 'SPHERE' },
    { event: 'contact.stage_changed', data: { to: 'SPHERE' } },
  ],
])('the exit %j sees what an assumed event changes', async (exit, assumed) => {
  const contact = await addContact()
  const assume = [{ at: inMinutes(30), ...assumed }]
  expect(await dryRun({ exits: [exit], steps: [waitStep('w', 60)] }, contact, { assume })).toMatchObject({
    status: 'exited',
    reason: exit.when,
    ended_at: inMinutes(30),
  })
})

test('a dry run of enroll and stop matches the engine', async () => {
  const other = await enabled({ steps: [waitStep('w', 60)] })
  const closed = await enabled({ steps: [waitStep('w', 60)] })
  await post(`/automations/${closed}/disable`)
  const step = (key: string, type: string, automation_id: string) => ({ key, type, automation_id })
  const definition = {
    steps: [
      step('early', 'stop', other),
      step('closed', 'enroll', closed),
      step('in', 'enroll', other),
      step('out', 'stop', other),
      step('late', 'stop', other),
    ],
  }
  const contact = await addContact()
  const outcomes = ({ steps }: Json) =>
    (steps as Json[]).map(({ step_key, outcome }) => `${String(step_key)} ${String(outcome)}`)
  const expected = ['early skipped', 'closed skipped', 'in done', 'out done', 'late skipped']
  expect(outcomes(await dryRun(definition, contact))).toEqual(expected)
  const id = idOf(await post(`/automations/${await enabled(definition)}/enroll`, { contact_id: contact }))
  await tick()
  expect(outcomes(await get(`/enrollments/${id}`))).toEqual(expected)
})

test('every action does what its dry run says, also to the contact', async () => {
  const { id: member_id } = await emailing.workspace.member()
  const actions = [
    { key: 'new', type: 'tag', tag: 'new' },
    { key: 'old', type: 'untag', tag: 'old' },
    { key: 'stage', type: 'stage', stage: 'NURTURE' },
    { key: 'owner', type: 'owner', member_id },
    { key: 'note', type: 'note', body: 'A note.' },
    { key: 'pause', type: 'pause_ai' },
    { key: 'task', type: 'task', title: 'Call', task_type: 'call', due_in: { hours: 1 } },
    { key: 'notify', type: 'notify_member', message: 'Look at this contact.' },
    { key: 'route', type: 'route' },
    { key: 'move', type: 'move_deal', status: 'won' },
  ]
  const declared = [...stepShapes.values()].filter((shape) => 'perform' in shape)
  expect(actions.map(({ type }) => type).toSorted()).toEqual(declared.map(({ type }) => type).toSorted())
  const left = [
    { field: 'contact.tags', operator: 'has_all', value: ['new'] },
    { field: 'contact.tags', operator: 'has_none', value: ['old'] },
    { field: 'contact.stage', operator: 'eq', value: 'NURTURE' },
    { field: 'contact.owner_id', operator: 'eq', value: member_id },
    { field: 'contact.ai_auto_response', operator: 'eq', value: 'paused' },
  ]
  const seenChanged = { key: 'seen', type: 'branch', branches: [{ conditions: { all: left }, steps: [] }] }
  const definition = { steps: [...actions, seenChanged] }
  const contact_id = await addContact({ tags: ['old'] })
  const outcomesOf = ({ steps }: Json) =>
    (steps as Json[]).map(({ step_key, outcome, reason }) => [step_key, outcome, reason])
  const predicted = outcomesOf(await dryRun(definition, contact_id))
  const enrollment = idOf(await post(`/automations/${await enabled(definition)}/enroll`, { contact_id }))
  await tick()
  expect(outcomesOf(await get(`/enrollments/${enrollment}`))).toEqual(predicted)
  expect(predicted).toEqual([
    ...actions.slice(0, 8).map(({ key }) => [key, 'done', null]),
    ['route', 'skipped', 'no_lead'],
    ['move', 'skipped', 'no_deal'],
    ['seen', 'done', 'branch 1'],
  ])
})

test('a dry run of an automation that enrolls into itself is skipped as a loop, as the engine skips it', async () => {
  const id = await enabled({ steps: [waitStep('w', 60)] })
  await emailing.agent.patch(`/automations/${id}`, {
    definition: { steps: [{ key: 'self', type: 'enroll', automation_id: id }] },
  })
  await post(`/automations/${id}/publish`)
  const contact_id = await addContact()
  const { body } = await post(`/automations/${id}/dry-run`, { contact_id })
  expect(seen(body)).toEqual(['self skipped loop 0'])
  const enrollment = idOf(await post(`/automations/${id}/enroll`, { contact_id }))
  await tick()
  expect((await get(`/enrollments/${enrollment}`))['steps']).toMatchObject([
    { step_key: 'self', outcome: 'skipped', reason: 'loop' },
  ])
})

test('a dry run counts its own texts, of which a person in Oklahoma gets three a day', async () => {
  const texting = await startTexting(app)
  const text = (key: string) => ({ key, type: 'send', channel: 'sms', body: 'Still looking?' })
  const definition = {
    steps: [text('a'), text('b'), text('c'), text('d'), waitStep('w', 24 * 60), text('e')],
  }
  const contact_id = await texting.lead('+14055550123')
  const id = idOf(await texting.agent.post('/automations', { name: 'Texts', definition }))
  await texting.agent.post(`/automations/${id}/publish`)
  await texting.agent.post(`/automations/${id}/enable`)
  const { body: dry } = await texting.agent.post(`/automations/${id}/dry-run`, { contact_id })
  const expected = ['a done', 'b done', 'c done', 'd blocked frequency_cap', 'w done', 'e done']
  const outcomes = ({ steps }: Json) =>
    (steps as Json[]).map(({ step_key, outcome, reason }) =>
      [step_key, outcome, ...(reason === null ? [] : [reason])].join(' '),
    )
  expect(outcomes(dry)).toEqual(expected)
  const enrollment = idOf(await texting.agent.post(`/automations/${id}/enroll`, { contact_id }))
  for (let n = 0; n < 5; n++) {
    await tick()
    for (const { attemptId } of await texting.begin()) await texting.taken(attemptId)
  }
  app.clock.advance(24 * 3_600_000)
  await tick()
  expect(outcomes((await texting.agent.get(`/enrollments/${enrollment}`)).body)).toEqual(expected)
})

test('in a dry run, an event ends one wait, and not the next one, too', async () => {
  const waitFor = (key: string) => ({
    key,
    type: 'wait_for',
    events: [{ event: 'contact.tag_added' }],
    timeout: { hours: 2 },
  })
  const definition = { steps: [waitFor('one'), waitFor('two'), tagStep('x')] }
  const contact_id = await addContact()
  const assume = [{ at: inMinutes(30), event: 'contact.tag_added', data: { tag: 'hot' } }]
  expect(seen(await dryRun(definition, contact_id, { assume }))).toEqual([
    'one done contact.tag_added 30',
    'two done timeout 150',
    'x done 150',
  ])
  const id = idOf(await post(`/automations/${await enabled(definition)}/enroll`, { contact_id }))
  await tick()
  app.clock.advance(30 * 60_000)
  await emailing.agent.patch(`/contacts/${contact_id}`, { tags: ['hot'] })
  await tick()
  expect((await get(`/enrollments/${id}`))['step_key']).toBe('two')
})
