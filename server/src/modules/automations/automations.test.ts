import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { agent, app, openScene, workspace } from '#test/scenes/workspace.ts'
import { idOf } from '#test/support/fixtures.ts'
import { batches } from '../backfills/batches.ts'
import { createEngine } from '../enrollments/engine/engine.ts'

openScene({ role: 'api' })

type Json = Record<string, unknown>

async function enabled(definition: object): Promise<string> {
  const id = idOf(await agent.post('/automations', { name: 'Welcome', definition }))
  await agent.post(`/automations/${id}/publish`)
  await agent.post(`/automations/${id}/enable`)
  return id
}

/** Runs an engine until it finds nothing to do. */
async function tick(): Promise<void> {
  await using queue = app.runtime.database.across('gable_engine')
  const engine = createEngine(app.runtime, queue, newId(app.clock.now()), batches)
  while ((await engine.tick()) > 0);
}

const contact = async (more: object = {}) =>
  idOf(await agent.post('/contacts', { first_name: 'Ada', ...more }))
const enroll = async (automation: string, contactId: string, context?: object) =>
  idOf(
    await agent.post(`/automations/${automation}/enroll`, {
      contact_id: contactId,
      ...(context && { context }),
    }),
  )
const get = async (id: string) => (await agent.get(`/enrollments/${id}`)).body
const outcomes = (enrollment: Json) =>
  (enrollment['steps'] as Json[]).map(({ step_key, outcome }) => `${step_key} ${outcome}`)

const tag = (key: string) => ({ key, type: 'tag', tag: key })
const minutes = (key: string, count: number) => ({ key, type: 'wait', for: { minutes: count } })

test('a contact goes through every step, and each step is recorded once', async () => {
  const id = await enabled({ steps: [tag('one'), minutes('pause', 5), tag('two')] })
  const ada = await contact()
  const response = await agent.post(`/automations/${id}/enroll`, { contact_id: ada })
  expect(response.status).toBe(202)
  expect(response.body).toMatchObject({ status: 'queued', created: true, source: 'api', version: 1 })
  const again = await agent.post(`/automations/${id}/enroll`, { contact_id: ada })
  expect(again.body).toMatchObject({ id: response.body['id'], created: false })

  await tick()
  const waiting = await get(idOf(response))
  expect(waiting).toMatchObject({ status: 'running', step_key: 'pause', waiting_for: { kind: 'wait' } })
  expect(outcomes(waiting)).toEqual(['one done'])
  expect((await agent.get(`/contacts/${ada}`)).body['tags']).toEqual(['one'])

  app.clock.advance(5 * 60_000)
  await tick()
  const over = await get(idOf(response))
  expect(over).toMatchObject({ status: 'completed', step_key: null, waiting_for: null, next: null })
  expect(outcomes(over)).toEqual(['one done', 'pause done', 'two done'])
  const runs = (await agent.get(`/contacts/${ada}/events`)).body['data'] as Json[]
  expect(runs.flatMap(({ type, title }) => (type === 'automation' ? [title] : []))).toEqual([
    'Automation completed: Welcome',
    'Automation started: Welcome',
  ])
})

test('a trigger enrolls the contact of its event once, and only if its conditions hold', async () => {
  const id = await enabled({
    triggers: [
      {
        event: 'contact.tag_added',
        conditions: { field: 'trigger.tag', operator: 'eq', value: 'vip' },
      },
    ],
    steps: [tag('greeted')],
  })
  const ada = await contact()
  await agent.patch(`/contacts/${ada}`, { tags: ['other'] })
  await tick()
  expect((await agent.get(`/contacts/${ada}/enrollments`)).body['data']).toEqual([])
  await agent.patch(`/contacts/${ada}`, { tags: ['vip'] })
  await tick()
  const [enrollment] = (await agent.get(`/contacts/${ada}/enrollments`)).body['data'] as Json[]
  expect(enrollment).toMatchObject({ automation_id: id, source: 'trigger', status: 'completed' })
  await agent.patch(`/contacts/${ada}`, { tags: [] })
  await agent.patch(`/contacts/${ada}`, { tags: ['vip'] })
  await tick()
  expect((await agent.get(`/contacts/${ada}/enrollments`)).body['data']).toHaveLength(1)
  await agent.post(`/automations/${id}/disable`, {})
})

test('a branch step takes the branch whose conditions hold, or else the `else` steps', async () => {
  const vip = { field: 'contact.tags', operator: 'has_any', value: ['vip'] }
  const branch = {
    key: 'which',
    type: 'branch',
    branches: [{ conditions: vip, steps: [tag('gold')] }],
    else: [tag('silver')],
  }
  const id = await enabled({ steps: [branch, tag('after')] })
  for (const [tags, expected] of [
    [['vip'], ['which done', 'gold done', 'after done']],
    [[], ['which done', 'silver done', 'after done']],
  ] as const) {
    const enrollment = await enroll(id, await contact({ tags }))
    await tick()
    expect(outcomes(await get(enrollment))).toEqual(expected)
  }
})

test('action steps change the contact, add a task, and start and stop another automation', async () => {
  const { id: member } = await workspace.member()
  const other = await enabled({ steps: [minutes('long', 1000)] })
  const id = await enabled({
    steps: [
      { key: 'a', type: 'stage', stage: 'NURTURE' },
      { key: 'b', type: 'owner', member_id: member },
      { key: 'c', type: 'note', body: 'Called twice.' },
      { key: 'd', type: 'pause_ai' },
      { key: 'e', type: 'task', title: 'Call', task_type: 'call', due_in: { hours: 2 } },
      { key: 'f', type: 'untag', tag: 'cold' },
      { key: 'n', type: 'notify_member', message: 'Call them today.' },
      { key: 'g', type: 'enroll', automation_id: other },
      minutes('h', 1),
      { key: 'i', type: 'stop', automation_id: other },
    ],
  })
  const ada = await contact({ tags: ['cold'] })
  const enrollment = await enroll(id, ada)
  await tick()
  app.clock.advance(60_000)
  await tick()
  expect(outcomes(await get(enrollment))).toEqual([...'abcdefnghi'].map((key) => `${key} done`))
  expect((await agent.get(`/contacts/${ada}`)).body).toMatchObject({
    stage: 'NURTURE',
    owner_id: member,
    ai_auto_response: 'paused',
    tags: [],
  })
  const { data } = (await agent.get(`/tasks?contact_id=${ada}`)).body as { data: Json[] }
  expect(data).toMatchObject([{ title: 'Call', type: 'call', created_by: { type: 'automation', id } }])
  const [, stopped] = (await agent.get(`/contacts/${ada}/enrollments`)).body['data'].toReversed() as Json[]
  expect(stopped).toMatchObject({
    automation_id: other,
    source: 'automation',
    status: 'exited',
    reason: 'stopped',
  })
})

test('an exit event committed before the engine runs wins over a step that is due', async () => {
  const id = await enabled({ exits: [{ when: 'booked' }], steps: [minutes('wait', 10), tag('late')] })
  const ada = await contact()
  const enrollment = await enroll(id, ada)
  await tick()
  app.clock.advance(10 * 60_000)
  const { id: host } = await workspace.member()
  const starts = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString()
  idOf(
    await agent.post('/appointments', {
      title: 'Showing',
      contact_id: ada,
      host_id: host,
      starts_at: starts(24),
      ends_at: starts(25),
    }),
  )
  await tick()
  expect(await get(enrollment)).toMatchObject({ status: 'exited', reason: 'booked', steps: [{}].slice(1) })
})

test('a pause stops the clock of a wait, and an ended enrollment cannot be cancelled', async () => {
  const id = await enabled({ steps: [minutes('wait', 10), tag('after')] })
  const ada = await contact()
  const enrollment = await enroll(id, ada)
  await tick()
  app.clock.advance(4 * 60_000)
  expect((await agent.patch(`/enrollments/${enrollment}`, { status: 'paused' })).body['status']).toBe(
    'paused',
  )
  app.clock.advance(60 * 60_000)
  await tick()
  expect(await get(enrollment)).toMatchObject({ status: 'paused', next: { key: 'wait', at: null } })
  await agent.patch(`/enrollments/${enrollment}`, { status: 'running' })
  app.clock.advance(5 * 60_000)
  await tick()
  expect(await get(enrollment)).toMatchObject({ status: 'running', step_key: 'wait' })
  app.clock.advance(60_000)
  await tick()
  expect(await get(enrollment)).toMatchObject({ status: 'completed' })
  const rejected = await agent.patch(`/enrollments/${enrollment}`, { status: 'cancelled' })
  expect([rejected.status, rejected.body['error'].code]).toEqual([409, 'enrollment_ended'])
})

test('a disabled automation rejects contacts, and its enrollments pause until it is enabled', async () => {
  const id = await enabled({ steps: [minutes('wait', 10), tag('after')] })
  const enrollment = await enroll(id, await contact())
  await tick()
  await agent.post(`/automations/${id}/disable`, {})
  const rejected = await agent.post(`/automations/${id}/enroll`, { contact_id: await contact() })
  expect([rejected.status, rejected.body['error'].code]).toEqual([409, 'automation_disabled'])
  app.clock.advance(60 * 60_000)
  await tick()
  expect(await get(enrollment)).toMatchObject({ status: 'paused', reason: 'automation_disabled' })
  await agent.post(`/automations/${id}/enable`)
  app.clock.advance(10 * 60_000)
  await tick()
  expect(await get(enrollment)).toMatchObject({ status: 'completed', reason: null })
})

test('erasing a contact ends its enrollments and clears their context', async () => {
  const id = await enabled({ steps: [minutes('wait', 10), tag('after')] })
  const ada = await contact()
  const enrollment = await enroll(id, ada, { spouse: 'Ben Reyes' })
  await tick()
  expect(await get(enrollment)).toMatchObject({ context: { spouse: 'Ben Reyes' } })
  await agent.delete(`/contacts/${ada}`)
  expect(await get(enrollment)).toMatchObject({
    status: 'exited',
    reason: 'erased',
    context: null,
    next: null,
  })
  const rejected = await agent.post(`/automations/${id}/enroll`, { contact_id: ada })
  expect([rejected.status, rejected.body['error'].code]).toEqual([409, 'contact_erased'])
})

test('an enrollment stays on the version it started with', async () => {
  const id = await enabled({ steps: [minutes('wait', 10), tag('old')] })
  const first = await enroll(id, await contact())
  await tick()
  await agent.patch(`/automations/${id}`, { definition: { steps: [minutes('wait', 10), tag('new')] } })
  await agent.post(`/automations/${id}/publish`)
  const second = await enroll(id, await contact())
  await tick()
  app.clock.advance(10 * 60_000)
  await tick()
  expect(outcomes(await get(first))).toEqual(['wait done', 'old done'])
  expect(outcomes(await get(second))).toEqual(['wait done', 'new done'])
})

test('every version stays readable as it was published, newest first', async () => {
  const id = await enabled({ steps: [tag('one')] })
  for (const key of ['two', 'three']) {
    await agent.patch(`/automations/${id}`, { definition: { steps: [tag(key)] } })
    await agent.post(`/automations/${id}/publish`)
    await agent.post(`/automations/${id}/publish`)
  }
  const read = async (query = '') =>
    ((await agent.get(`/automations/${id}/versions${query}`)).body['data'] as Json[]).map(
      ({ version, definition, automation_id }) => ({ version, definition, automation_id }),
    )
  const version = (number: number, key: string) => ({
    version: number,
    definition: { steps: [tag(key)] },
    automation_id: id,
  })
  expect(await read()).toEqual([version(3, 'three'), version(2, 'two'), version(1, 'one')])
  expect(await read('?version=2')).toEqual([version(2, 'two')])
})

test('automations that trigger each other do not loop', async () => {
  const chained = (add: string, on: string) => ({
    triggers: [
      { event: 'contact.tag_added', conditions: { field: 'trigger.tag', operator: 'eq', value: on } },
    ],
    re_enrollment: 'always',
    steps: [
      { key: 'off', type: 'untag', tag: add },
      { key: 'on', type: 'tag', tag: add },
    ],
  })
  await enabled(chained('ping', 'pong'))
  await enabled(chained('pong', 'ping'))
  const ada = await contact()
  await agent.patch(`/contacts/${ada}`, { tags: ['ping'] })
  await tick()
  expect((await agent.get(`/contacts/${ada}/enrollments`)).body['data']).toHaveLength(2)
})

test('concurrent engines take each step once', async () => {
  const id = await enabled({ steps: [...'abcdefgh'].map((key) => ({ key, type: 'note', body: key })) })
  const contacts = await Promise.all(Array.from({ length: 20 }, () => contact()))
  const enrollments = await Promise.all(contacts.map((one) => enroll(id, one)))
  await Promise.all([tick(), tick(), tick()])
  await tick()
  for (const [i, enrollment] of enrollments.entries()) {
    expect(outcomes(await get(enrollment))).toEqual([...'abcdefgh'].map((key) => `${key} done`))
    const { data } = (await agent.get(`/contacts/${orNotFound(contacts[i])}/notes`)).body as { data: Json[] }
    expect(data.map(({ body }) => body)).toEqual([...'hgfedcba'])
  }
})
