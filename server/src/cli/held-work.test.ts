import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asOwner } from '#test/support/database.ts'
import { type Scene, openScene, unclear } from '../../test/messages/scripted.ts'
import { requireSecret } from '../modules/installation/public.ts'
import { queueMail } from '../modules/mail/public.ts'
import { createConnection } from '../modules/senders/public.ts'
import { dropHeldWork, reviewHeldWork } from './held-work.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene('held_work')
  await requireSecret(scene.app.runtime.database.directory, scene.app.runtime.keys)
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const sql = (text: string, values: unknown[] = []) => asOwner(scene.app.databaseUrl, text, values)
const idOf = async (response: Promise<{ status: number; body: Record<string, unknown> }>) => {
  const { status, body } = await response
  expect(body, String(status)).toHaveProperty('id')
  return String(body['id'])
}

/** One of everything that sends by itself once workers run. */
async function openWork() {
  const { agent, workspace, script, look, send, person } = scene
  const { ctx } = workspace
  const email = 'sam@reyes.example'
  script.outcomes = [unclear]
  const unclearEmail = await idOf(
    agent.post('/messages', { channel: 'email', to: email, subject: 'Offer', body: 'See the offer.' }),
  )
  await look()
  const text = await send(await person(), 'Hello')
  const contact_id = await idOf(agent.post('/contacts', { first_name: 'Ada', email: 'ada@reyes.example' }))
  const search = await idOf(
    agent.post('/saved-searches', { contact_id, name: 'Homes', criteria: { cities: ['Chicago'] } }),
  )
  await sql('update saved_searches set next_at = $2 where id = $1', [search, scene.app.clock.now()])
  await idOf(
    agent.post('/appointments', {
      title: 'Showing',
      contact_id,
      invite: true,
      starts_at: '2030-03-05T16:00:00.000Z',
      ends_at: '2030-03-05T17:00:00.000Z',
    }),
  )
  await createConnection(ctx, {
    provider: 'documenso',
    name: 'Documenso',
    account: 'Team',
    secret: 'api_token the-webhook-secret',
  })
  const document = await idOf(
    agent.post('/documents', { template_id: 'offer', title: 'Offer', signers: [{ name: 'Ada', email }] }),
  )
  await ctx.transaction(async (tx) => {
    queueMail(tx, tx, { to: 'nora@gable.example', subject: 'Sign in', text: 'Here.' })
  })
  const steps = [
    { key: 's', type: 'send', channel: 'email', subject: 'Hi', body: 'Hi.' },
    { key: 'w', type: 'wait', for: { minutes: 1 } },
  ]
  const automation = await idOf(
    agent.post('/automations', {
      name: 'Tagged',
      definition: { triggers: [{ event: 'contact.tag_added' }], steps },
    }),
  )
  await agent.post(`/automations/${automation}/publish`)
  await agent.post(`/automations/${automation}/enable`)
  const enrollment = await idOf(agent.post(`/automations/${automation}/enroll`, { contact_id }))
  await agent.patch(`/contacts/${contact_id}`, { tags: ['buyer'] })
  // The queue of jobs goes by PostgreSQL's clock.
  await sql('update graphile_worker._private_jobs set created_at = $1', [scene.app.clock.now()])
  scene.app.clock.advance(1000)
  return { unclearEmail, text, search, document, enrollment, since: scene.app.clock.now().toISOString() }
}

/** What a worker would find to do. */
async function whatSends() {
  const { id } = scene.workspace
  const count = async (statement: string, values: unknown[] = [id]) => (await sql(statement, values)).length
  return {
    messages: await count(
      `select from outbox where workspace_id = $1 and (state = 'waiting' or on_return is distinct from 'cancel')`,
    ),
    enrollments: await count(
      `select from enrollments where workspace_id = $1 and status in ('queued', 'running')`,
    ),
    triggers: await count('select from automation_inbox where workspace_id = $1'),
    digests: await count('select from saved_searches where workspace_id = $1 and next_at <= $2', [
      id,
      scene.app.clock.now(),
    ]),
    documents: await count(`select from documents where workspace_id = $1 and status = 'draft'`),
    emails: await count(`select from mails where state = 'queued'`, []),
    invitations: await count(
      `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where identifier = 'send-invitations'`,
      [],
    ),
  }
}

test('what waits is counted, and dropping it leaves nothing that sends', async () => {
  const { app, carriers, script, look, read, agent } = scene
  const { unclearEmail, text, search, document, enrollment, since } = await openWork()
  expect(await whatSends()).toEqual({
    messages: 2,
    enrollments: 1,
    triggers: expect.toSatisfy((count: number) => count > 0),
    digests: 1,
    documents: 1,
    emails: 1,
    invitations: 1,
  })
  expect(await reviewHeldWork(app.runtime, carriers, { since }, { requiresAll: false })).toEqual({
    sent: 0,
    messages: 2,
    calls: 0,
    enrollments: 1,
    triggers: expect.any(Number),
    campaigns: 0,
    backfills: 0,
    digests: 1,
    documents: 1,
    emails: 1,
    invitations: 1,
    responses: 0,
    summaries: 0,
    calendar_pushes: 0,
    deliveries: 0,
    message_removals: 0,
    call_removals: 0,
  })
  await dropHeldWork(app.runtime, { since })
  expect(await whatSends()).toEqual({
    messages: 0,
    enrollments: 0,
    triggers: 0,
    digests: 0,
    documents: 0,
    emails: 0,
    invitations: 0,
  })
  const sent = script.sent.length
  for (let minutes = 0; minutes < 20; minutes++) {
    app.clock.advance(60_000)
    await look()
  }
  expect(script.sent).toHaveLength(sent)
  expect([(await read(unclearEmail))['status'], (await read(text))['status']]).toEqual([
    'unknown',
    'cancelled',
  ])
  const statusOf = async (path: string) => (await agent.get(path)).body['status']
  expect([await statusOf(`/documents/${document}`), await statusOf(`/enrollments/${enrollment}`)]).toEqual([
    'voided',
    'cancelled',
  ])
  const { next_at } = (await agent.get(`/saved-searches/${search}`)).body
  expect(Date.parse(next_at)).toBeGreaterThan(app.clock.now().getTime())
})

test('what waits does not go while a provider cannot be asked, and can be dropped', async () => {
  const { app, carriers, send, person, read } = scene
  const text = await send(await person(), 'Hello')
  app.clock.advance(1000)
  const since = app.clock.now().toISOString()
  const away = async () => {
    throw new Error('The provider cannot be reached.')
  }
  const { twilio } = carriers
  if (twilio === undefined) throw new Error('There is no carrier.')
  for (const [name, reason] of [
    ['listInbound', 'cannot be read'],
    ['find', 'did not say'],
  ] as const) {
    const partly = { ...carriers, twilio: { ...twilio, [name]: away } }
    await expect(reviewHeldWork(app.runtime, partly, { since }, { requiresAll: true })).rejects.toThrow(
      reason,
    )
    const { messages } = await reviewHeldWork(app.runtime, partly, { since }, { requiresAll: false })
    expect(messages).toBeGreaterThan(0)
  }
  await dropHeldWork(app.runtime, { since })
  expect((await read(text))['status']).toBe('cancelled')
})

test('simulated connections that are not in effect keep nothing else from going', async () => {
  const { app, send, person, workspace } = scene
  await send(await person(), 'Hello')
  app.clock.advance(1000)
  const since = app.clock.now().toISOString()
  const away = async () => {
    throw new Error('The provider cannot be reached.')
  }
  const twilio = { ...(scene.carriers.twilio ?? expect.unreachable()), listInbound: away, find: away }
  const review = (simulatesProviders: boolean) =>
    reviewHeldWork({ ...app.runtime, simulatesProviders }, { twilio }, { since }, { requiresAll: true })
  await sql('update connections set simulated = true where workspace_id = $1', [workspace.id])
  await expect(review(true)).rejects.toThrow('cannot be read')
  expect((await review(false)).messages).toBeGreaterThan(0)
  await dropHeldWork(app.runtime, { since })
})

test('a message that turns out to have left is not sent, whatever a person does while the provider is asked', async () => {
  const { app, carriers, send, person, read } = scene
  const { twilio } = carriers
  if (twilio === undefined) throw new Error('There is no carrier.')
  const report = (providerMessageId: string) =>
    ({ attemptId: null, providerMessageId, status: 'sent', failure: null, at: null }) as const
  const texts = [await send(await person(), 'First'), await send(await person(), 'Second')]
  app.clock.advance(1000)
  const since = app.clock.now().toISOString()
  const reviewWith = (find: typeof twilio.find, requiresAll = true) =>
    reviewHeldWork(app.runtime, { ...carriers, twilio: { ...twilio, find } }, { since }, { requiresAll })
  const statuses = async () => Promise.all(texts.map(async (id) => (await read(id))['status']))

  // Twilio finds the first one, and is then away.
  let asked = 0
  await expect(
    reviewWith(async () => {
      if (asked++ > 0) throw new Error('The provider cannot be reached.')
      return report('SM1')
    }),
  ).rejects.toThrow('did not say')
  expect((await statuses()).toSorted()).toEqual(['queued', 'sent'])

  // A person drops what waits while Twilio is asked about the second one, and another one asks at the same time.
  const found = Promise.withResolvers<ReturnType<typeof report>>()
  const isAsked = Promise.withResolvers<void>()
  const reviewing = reviewWith(() => {
    isAsked.resolve()
    return found.promise
  })
  await isAsked.promise
  await dropHeldWork(app.runtime, { since })
  found.resolve(report('SM2'))
  expect(await reviewing).toMatchObject({ sent: 0, messages: 0 })
  expect((await statuses()).toSorted()).toEqual(['cancelled', 'sent'])
  expect(await reviewWith(async () => report('SM3'))).toMatchObject({ sent: 0, messages: 0 })
})

test('a mailbox that pauses after a failure is read before anything goes', async () => {
  const { app, carriers, workspace } = scene
  const { id } = await createConnection(workspace.ctx, {
    provider: 'email',
    name: 'Mail',
    account: 'office@gable.example',
    simulated: true,
    secret: 'password',
  })
  let isAway = true
  let reads = 0
  async function* readMailbox() {
    reads++
    if (isAway) throw new Error('The mailbox is away.')
    yield { mail: null, position: '1' }
  }
  const email = { ...(carriers.email ?? expect.unreachable()), readMailbox }
  const review = () =>
    reviewHeldWork(
      app.runtime,
      { ...carriers, email },
      { since: app.clock.now().toISOString() },
      { requiresAll: true },
    )
  await expect(review()).rejects.toThrow(id)
  isAway = false
  // At once, although it pauses.
  const before = reads
  await review()
  expect(reads).toBeGreaterThan(before)
})
