import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { openProvided, startWorkers } from '../../src/app.ts'
import { outgoing } from '../../src/cli/held-work.ts'
import { queueSummary } from '../../src/modules/ai/jobs.ts'
import type { CalendarServer } from '../../src/modules/calendar/ports.ts'
import { chooseCalendar, connectCalendar } from '../../src/modules/calendar/public.ts'
import { removals } from '../../src/modules/calls/jobs.ts'
import type { VoiceCarrier } from '../../src/modules/calls/ports.ts'
import { open } from '../../src/modules/compliance/public.ts'
import type { SignatureProvider } from '../../src/modules/documents/ports.ts'
import { requireSecret, watchHold } from '../../src/modules/installation/public.ts'
import { queueMail, readMails } from '../../src/modules/mail/public.ts'
import { messageRemovals } from '../../src/modules/messages/erasure/jobs.ts'
import type { Carrier, OutgoingMessage } from '../../src/modules/messages/ports.ts'
import { receiveMessage } from '../../src/modules/messages/public.ts'
import { queueDigests } from '../../src/modules/saved-searches/jobs.ts'
import { createConnection, openAccount } from '../../src/modules/senders/public.ts'

/** Something of a kind that waits, and what its record says of it. */
type Waiting = Record<string, () => Promise<unknown>>

/**
 * A server with something of each kind that leaves, and workers with providers that count what reaches them. `left` has the
 * kinds of what has left, once for each time.
 */
export async function openHeldScene(name: string) {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(
    await testApp({ databaseUrl: await freshDatabase(name), now: '2026-03-02T16:00:00.000Z' }),
  )
  const { runtime, clock } = app
  await requireSecret(runtime.database.directory, runtime.keys)
  const workspace = await app.workspace()
  const { ctx } = workspace
  const agent = await workspace.credential()
  await readyToSend(workspace)
  const sql = (text: string, values: unknown[] = []) => asOwner(app.databaseUrl, text, values)

  const left: string[] = []
  /** The subjects of this scene have the names of the kinds. */
  const kindIn = (subject: string) => outgoing.find((kind) => subject.includes(kind.name))?.name ?? subject
  const carrier: Carrier = {
    async send(_, cleared) {
      const { subject, attemptId } = open(cleared, clock.now()) as OutgoingMessage
      left.push(kindIn(subject ?? 'a text'))
      return { kind: 'taken', providerMessageId: attemptId }
    },
    find: async () => undefined,
    readCallback: () => undefined,
    listInbound: async () => [],
    async forget() {
      left.push('message_removals')
      return true
    },
  }
  const voice: VoiceCarrier = {
    async place() {
      left.push('calls')
      return { kind: 'taken', providerMessageId: 'call-1' }
    },
    test: async () => 'accepted',
    parse: () => undefined,
    find: async () => undefined,
    fetchRecording: async () => 'not_of_provider',
    async erase() {
      left.push('call_removals')
      return true
    },
  }
  const unavailable = { fault: 'provider_unavailable' as const, message: 'Not now.' }
  const signing: SignatureProvider = {
    prepare: async () => ({ providerDocumentId: 'document-1' }),
    async send() {
      left.push('documents')
      return undefined
    },
    discard: async () => undefined,
    read: async () => ({
      title: 'Offer',
      status: 'sent',
      signers: [
        {
          providerSignerId: '1',
          name: 'Ada',
          email: 'sam@reyes.example',
          role: 'Buyer',
          status: 'sent',
          signedAt: null,
        },
      ],
      sentAt: clock.now().toISOString(),
      completedAt: null,
    }),
    void: async () => undefined,
    openFile: async () => unavailable,
    readCallback: () => undefined,
    readCallbackUrl: async () => unavailable,
  }
  const calendars: CalendarServer = {
    discover: async () => ({
      kind: 'found',
      calendars: [{ url: 'https://dav.example.com/work/', name: 'Work' }],
    }),
    test: async () => ({ kind: 'ok' }),
    async put() {
      left.push('calendar_pushes')
      return { kind: 'put', etag: '1' }
    },
    remove: async () => ({ kind: 'removed' }),
  }

  const record = async (path: string, member = 'status') => (await agent.get(path)).body[member]
  const statusOf = (path: string) => () => record(path)
  const email = (subject: string) => ({
    key: 'mail',
    type: 'send',
    channel: 'email',
    subject,
    body: 'Hello.',
  })
  const contact = async (first_name: string, more: object = {}) =>
    idOf(await agent.post('/contacts', { first_name, email: `${first_name}@reyes.example`, ...more }))
  const automation = async (subject: string, more: object = {}) => {
    const definition = { steps: [email(subject)], ...more }
    const id = idOf(await agent.post('/automations', { name: subject, definition }))
    await agent.post(`/automations/${id}/publish`)
    await agent.post(`/automations/${id}/enable`)
    return id
  }
  const accountOf = async (provider: string) => {
    const [row] = await sql('select id from connections where workspace_id = $1 and provider = $2', [
      workspace.id,
      provider,
    ])
    return orNotFound(await openAccount(ctx, String((orNotFound(row) as { id: string }).id)))
  }
  const waiting: Waiting = {}

  // What is there before anything waits.
  const host = await workspace.member('Hana Ito')
  await connectCalendar(ctx, calendars, host.id, {
    address: 'https://dav.example.com',
    username: 'hana',
    password: 'secret',
  })
  await chooseCalendar(ctx, calendars, host.id, 'https://dav.example.com/work/')
  const tagged = await contact('triggers')
  await automation('triggers', { triggers: [{ event: 'contact.tag_added' }] })
  const webhook = idOf(
    await agent.post('/webhooks', { url: 'https://hooks.example.com/a', event_types: ['document.signed'] }),
  )

  const message = idOf(
    await agent.post('/messages', {
      channel: 'email',
      to: 'sam@reyes.example',
      subject: 'messages',
      body: 'Hi.',
    }),
  )
  waiting['messages'] = statusOf(`/messages/${message}`)

  waiting['calls'] = statusOf(`/calls/${idOf(await agent.post('/calls', { to: '+13125550177' }))}`)

  const { body: test } = await agent.post(`/webhooks/${webhook}/test`)
  waiting['deliveries'] = async () => {
    const { status, last_attempt } = (await agent.get(`/webhooks/${webhook}/deliveries/${test.id}`)).body
    return [status, last_attempt?.failure]
  }

  const enrolls = await automation('enrollments')
  const enrollment = await agent.post(`/automations/${enrolls}/enroll`, {
    contact_id: await contact('enrollments'),
  })
  waiting['enrollments'] = statusOf(`/enrollments/${idOf(enrollment)}`)

  await agent.patch(`/contacts/${tagged}`, { tags: ['buyer'] })
  waiting['triggers'] = async () =>
    (await sql('select from enrollments where contact_id = $1', [tagged])).length

  await contact('backfills', { source: 'Backfill' })
  const fills = await automation('backfills')
  const conditions = { field: 'contact.source', operator: 'eq', value: 'Backfill' }
  waiting['backfills'] = statusOf(
    `/backfills/${idOf(await agent.post(`/automations/${fills}/backfills`, { conditions }))}`,
  )

  const consent = {
    captured_at: '2026-01-02T15:00:00Z',
    source_url: 'https://lanternandoak.example/valuation',
  }
  const lead = await agent.post('/leads', {
    email: 'campaigns@reyes.example',
    phone: '+13125550155',
    source: 'Website',
    skip_routing: true,
    consent,
  })
  idOf(lead)
  await agent.patch(`/contacts/${lead.body['contact_id']}`, { source: 'Campaign' })
  const campaign = idOf(
    await agent.post('/campaigns', {
      name: 'Open house',
      channel: 'EMAIL',
      audience: { field: 'contact.source', operator: 'eq', value: 'Campaign' },
      template: { subject: 'campaigns', body: 'The open house is on Saturday.' },
    }),
  )
  await agent.post(`/campaigns/${campaign}/summary`)
  const began = await agent.post(`/campaigns/${campaign}/start`)
  expect(JSON.stringify(began.body)).toContain('running')
  waiting['campaigns'] = statusOf(`/campaigns/${campaign}`)

  const search = idOf(
    await agent.post('/saved-searches', {
      contact_id: await contact('digests'),
      name: 'digests',
      criteria: { cities: ['Chicago'] },
    }),
  )
  clock.advance(1000)
  const listing = { list_agent_id: host.id, list_price: 500_000, city: 'Chicago', status: 'active' }
  idOf(await agent.post('/listings', listing))
  clock.advance(15 * 60_000)
  await sql('update saved_searches set next_at = $2 where id = $1', [search, clock.now()])
  await queueDigests.handle(runtime)
  waiting['digests'] = async () =>
    Date.parse(await record(`/saved-searches/${search}`, 'next_at')) > clock.now().getTime()

  await createConnection(ctx, {
    provider: 'documenso',
    name: 'Documenso',
    account: 'Team',
    secret: 'token secret',
  })
  const document = await agent.post('/documents', {
    template_id: 'offer',
    title: 'Offer',
    signers: [{ name: 'Ada', email: 'sam@reyes.example' }],
  })
  waiting['documents'] = statusOf(`/documents/${idOf(document)}`)

  const mail = await ctx.transaction(async (tx) =>
    queueMail(tx, tx, { to: 'nora@gable.example', subject: 'emails', text: 'Here.' }),
  )
  waiting['emails'] = async () => {
    const { state, answer: said } = orNotFound((await readMails(runtime)).find(({ id }) => id === mail))
    return [state, said]
  }

  const times = { starts_at: '2030-03-05T16:00:00.000Z', ends_at: '2030-03-05T17:00:00.000Z' }
  const invited = await agent.post('/appointments', {
    title: 'invitations',
    contact_id: await contact('invitations'),
    invite: true,
    ...times,
  })
  waiting['invitations'] = async () =>
    (await sql('select from appointment_invitations where appointment_id = $1', [idOf(invited)])).length

  const pushed = idOf(await agent.post('/appointments', { title: 'Showing', host_id: host.id, ...times }))
  waiting['calendar_pushes'] = async () => {
    const [{ status, error }] = await record(`/appointments/${pushed}`, 'calendar_sync')
    return [status, error]
  }

  const disclosure = 'This is Alder, the AI assistant.'
  await agent.post('/personas', { name: 'Alder', disclosure, mode: 'auto' })
  await agent.patch('/ai-settings', { enabled: true })
  const texter = '+13125550166'
  await agent.post('/leads', { phone: texter, source: 'Website', skip_routing: true, consent })
  const twilio = await accountOf('twilio')
  await receiveMessage(ctx, twilio, {
    providerMessageId: 'SM1',
    channel: 'sms',
    from: texter,
    to: '+13125550188',
    subject: null,
    body: 'responses',
    bodyHtml: null,
    name: null,
    receivedAt: clock.now(),
    providerResponds: false,
  })
  waiting['responses'] = async () => {
    const { data } = (await agent.get('/contacts?limit=200')).body
    return data.find(({ phone_e164 }: { phone_e164: string }) => phone_e164 === texter)?.ai_paused_reason
  }

  const over = idOf(await agent.post('/calls', { to: '+13125550177' }))
  await sql(
    `update calls set status = 'completed', began_at = $2, ended_at = $2, completed_at = $2, look_at = null where id = $1`,
    [over, clock.now()],
  )
  await sql('insert into call_transcripts (workspace_id, call_id, transcript) values ($1, $2, $3)', [
    workspace.id,
    over,
    JSON.stringify([{ speaker: 'contact', text: 'summaries', start_ms: 0, end_ms: 1 }]),
  ])
  const retell = await accountOf('retell')
  await sql(
    `insert into call_removals (workspace_id, call_id, connection_id, provider_call_id, due_at, attempts) values ($1, 'gone', $2, 'call-0', $3, 0)`,
    [workspace.id, retell.id, clock.now()],
  )
  await sql(
    `insert into message_removals (workspace_id, message_id, connection_id, provider_message_id, due_at, attempts, created_at)
     values ($1, 'gone', $2, 'SM0', $3, 0, $3)`,
    [workspace.id, twilio.id, clock.now()],
  )
  await ctx.transaction(async (tx) => {
    await queueSummary(tx, { id: over, disposition: null, summary: null })
    removals.queue(tx, 'due')
    messageRemovals.queue(tx, 'due')
  })
  waiting['summaries'] = async () => (await sql('select from generations where call_id = $1', [over])).length
  waiting['call_removals'] = async () => (await sql('select from call_removals')).length
  waiting['message_removals'] = async () => (await sql('select from message_removals')).length

  // The queue of jobs goes by PostgreSQL's clock.
  await sql('update graphile_worker._private_jobs set created_at = $1', [clock.now()])
  clock.advance(1000)

  const { shared: _, ...machine } = clock
  const working = {
    ...runtime,
    clock: machine,
    log: createLog('silent'),
    egress: {
      ...runtime.egress,
      post: (({ url }, done) => {
        left.push(url.startsWith('https://hooks.example.com/a') ? 'deliveries' : url)
        done({ status: 200, ok: true, answer: '', failure: null, durationMs: 1 } as never)
      }) as typeof runtime.egress.post,
    },
  }
  const provided = {
    ...opened.use(
      openProvided(runtime, {
        role: 'worker',
        host: '127.0.0.1',
        trustProxy: 0,
        anonymousRateLimit: 1,
        dataDir: process.env['TMPDIR'] ?? '/tmp',
        egress: { allowHttp: 'none', allowPrivate: 'none' },
      }),
    ),
    runtime: working,
    carriers: { twilio: carrier, whatsapp: carrier, email: carrier },
    voice: { retell: voice, twilio: voice },
    signing: { documenso: signing },
    calendars,
    sendMail: async ({ subject }: { subject: string }) => {
      left.push(kindIn(subject))
      return { kind: 'taken' as const, answer: '', code: '250' }
    },
    model: {
      name: 'a model',
      price: { input: 0, output: 0 },
      async propose({ turns }: { turns: readonly { content: string }[] }) {
        const prompt = turns.map(({ content }) => content).join(' ')
        left.push(prompt.includes('summaries') ? 'summaries' : 'responses')
        return { kind: 'fault' as const, fault: 'rejected' as const, message: 'No.' }
      },
    },
    lastSent: { save: async () => undefined, find: async () => undefined },
    stops: {
      async *own() {},
      async *all() {},
      append: async () => undefined,
      saveCovered: async () => undefined,
      findCovered: async () => undefined,
    },
  }
  const all = opened.move()
  return {
    app,
    runtime: working,
    provided,
    left,
    waiting,
    async startWorkers() {
      const hold = all.use(await watchHold(working, async () => false))
      for (const one of await startWorkers(working, provided, hold)) all.use(one)
    },
    /** A worker looks several times within it. */
    aWhile: () => sleep(4000),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
