import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Ctx, createContext } from '#kernel/context.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import {
  type Channel,
  type SenderRow,
  createConnection,
  createSender,
  createTemplate,
  disconnectConnection,
  findDefaultSender,
  findSender,
  findTemplate,
  listConnections,
  listSendersById,
  listTemplatesNamed,
  senderState,
  signatureConnectionFor,
  updateSender,
  voiceConnectionFor,
} from './public.ts'
import { updateTemplate } from './save-template.ts'

let app: TestApp
let ctx: Ctx
beforeAll(async () => void (app = await testApp()))
beforeEach(async () => void ({ ctx } = await app.workspace()))
afterAll(() => app[Symbol.asyncDispose]())

const line = { kind: '10dlc', address: '+13125550188' } as const

const real = (provider: 'twilio' | 'whatsapp' = 'twilio') =>
  createConnection(ctx, { provider, name: 'Ours', account: 'AC1', secret: 'a secret' })

/** The same context, but for a member. */
const asMember = () =>
  createContext(app.runtime, {
    workspaceId: ctx.workspaceId,
    actor: { type: 'member', id: 'someone', name: 'Someone' },
    scopes: ctx.scopes,
  })

const issues = (work: Promise<unknown>) =>
  work.then(
    () => [],
    ({ code, body }) => [code, ...(body.details ?? []).map(({ path }: { path: string }) => path)],
  )

test.each<[SenderRow['kind'], address: string, stored: string | undefined]>([
  ['10dlc', '(312) 555-0188', '+13125550188'],
  ['10dlc', '+1 416 555 0188', '+14165550188'],
  ['10dlc', '+18005550188', undefined],
  ['10dlc', '+442079460958', undefined],
  ['10dlc', '72345', undefined],
  ['10dlc', '', undefined],
  ['tollfree', '833 555 0188', '+18335550188'],
  ['tollfree', '+13125550188', undefined],
  ['shortcode', '72345', '72345'],
  ['shortcode', '723456', '723456'],
  ['shortcode', '02345', undefined],
  ['shortcode', '7234', undefined],
  ['shortcode', '7234567', undefined],
  ['whatsapp', '+44 20 7946 0958', '+442079460958'],
  ['whatsapp', '+12', undefined],
  ['whatsapp', 'someone@reyes.example', undefined],
  ['email', 'Hello@Reyes.Example', 'hello@reyes.example'],
  ['email', 'hello@reyes', undefined],
  ['email', '+13125550188', undefined],
])('a sender of kind %s with the address "%s" is stored as %s', async (kind, address, stored) => {
  const created = createSender(ctx, { kind, address })
  if (stored === undefined) expect(await issues(created)).toEqual(['validation_failed', 'address'])
  else expect((await created).address).toBe(stored)
})

test.each<[SenderRow['kind'], Channel, object]>([
  ['10dlc', 'SMS', { type: '10dlc', brand: 'UNKNOWN', campaign: 'UNKNOWN', number: 'UNKNOWN' }],
  ['tollfree', 'SMS', { type: 'tollfree', verification: 'UNKNOWN' }],
  ['shortcode', 'SMS', { type: 'shortcode', status: 'UNKNOWN' }],
  ['whatsapp', 'WHATSAPP', { type: 'whatsapp', status: 'UNKNOWN' }],
  ['email', 'EMAIL', { type: 'email', domainAuthenticated: false }],
])('a new sender of kind %s belongs to channel %s and is unregistered', async (kind, channel, state) => {
  const address = {
    '10dlc': line.address,
    tollfree: '+18335550188',
    shortcode: '72345',
    whatsapp: '+13125550188',
    email: 'hello@reyes.example',
  }[kind]
  const sender = await createSender(ctx, { kind, address })
  expect(sender).toMatchObject({ channel, is_default: true })
  expect(senderState(sender)).toEqual(state)
  for (const by of [sender.id, address]) expect(await findSender(ctx.db, by, channel)).toEqual(sender)
  expect(await findDefaultSender(ctx.db, channel)).toEqual(sender)
})

test('a sender is found by ID or address only on its channel and in its workspace', async () => {
  const sender = await createSender(ctx, line)
  const other = (await app.workspace()).ctx
  for (const by of [sender.id, line.address]) {
    expect(await findSender(ctx.db, by, 'WHATSAPP')).toBeUndefined()
    expect(await findSender(other.db, by, 'SMS')).toBeUndefined()
  }
  expect(await listSendersById(ctx.db, [sender.id, 'no-one'])).toEqual([sender])
  expect(await listSendersById(other.db, [sender.id])).toEqual([])
})

test('a workspace can use an address only once per channel', async () => {
  await createSender(ctx, line)
  expect(await issues(createSender(ctx, { ...line, address: '312 555 0188' }))).toEqual(['conflict'])
  await createSender(ctx, { kind: 'whatsapp', address: line.address })
  await createSender((await app.workspace()).ctx, line)
})

describe('the default of a channel', () => {
  const second = { ...line, address: '+13125550187' }
  const defaults = async () => [await findDefaultSender(ctx.db, 'SMS')].map((sender) => sender?.address)

  test('is its first sender until another is made the default', async () => {
    const first = await createSender(ctx, line)
    const { id } = await createSender(ctx, second)
    expect(await defaults()).toEqual([line.address])
    await updateSender(ctx, id, { is_default: true })
    expect(await defaults()).toEqual([second.address])
    await createSender(ctx, { ...line, address: '+13125550186', is_default: true })
    expect(await defaults()).toEqual(['+13125550186'])
    await updateSender(ctx, first.id, { is_default: false })
    expect(await defaults()).toEqual(['+13125550186'])
  })

  test('stays unique under concurrent changes', async () => {
    const made: SenderRow[] = []
    for (const n of [6, 7, 8]) made.push(await createSender(ctx, { ...line, address: `+1312555018${n}` }))
    await Promise.all(
      made.flatMap(({ id }) => [
        updateSender(ctx, id, { is_default: true }),
        updateSender(ctx, id, { name: 'Line' }),
      ]),
    )
    const rows = await listSendersById(
      ctx.db,
      made.map(({ id }) => id),
    )
    expect(rows.filter(({ is_default }) => is_default)).toHaveLength(1)
  })
})

describe('registration states', () => {
  const registration = { brand: 'APPROVED', campaign: 'VERIFIED' }

  test('can be set one by one on a simulated connection', async () => {
    const { id } = await createSender(asMember(), { ...line, registration })
    const after = await updateSender(asMember(), id, { registration: { number: 'REGISTERED' } })
    expect(after.registration).toEqual({ ...registration, number: 'REGISTERED' })
  })

  test('on a real connection can be set by the operator but not by a member', async () => {
    const connection_id = (await real()).id
    expect(await issues(createSender(asMember(), { ...line, connection_id, registration }))).toEqual([
      'validation_failed',
      'registration',
    ])
    const { id } = await createSender(asMember(), { ...line, connection_id })
    expect(await issues(updateSender(asMember(), id, { registration }))).toEqual([
      'validation_failed',
      'registration',
    ])
    await updateSender(asMember(), id, { name: 'Main line' })
    expect((await updateSender(ctx, id, { registration })).registration).toMatchObject(registration)
  })

  test('must be states of the sender’s kind', async () => {
    expect(await issues(createSender(ctx, { ...line, registration: { status: 'ACTIVE' } }))).toEqual([
      'validation_failed',
      'registration.status',
    ])
  })
})

test.each<[SenderRow['kind'], address: string, stated: object, path: string, allowed: string]>([
  [
    '10dlc',
    line.address,
    { campaign: 'BANANA' },
    'campaign',
    'UNKNOWN, PENDING, IN_PROGRESS, VERIFIED, FAILED, SUSPENDED',
  ],
  [
    '10dlc',
    line.address,
    { brand: 'verified' },
    'brand',
    'UNKNOWN, PENDING, IN_REVIEW, APPROVED, FAILED, SUSPENDED',
  ],
  ['10dlc', line.address, { number: 'YES' }, 'number', 'UNKNOWN, PENDING, REGISTERED, UNREGISTERED'],
  [
    'tollfree',
    '+18335550188',
    { verification: 'VERIFIED' },
    'verification',
    'UNKNOWN, PENDING_REVIEW, IN_REVIEW, TWILIO_APPROVED, TWILIO_REJECTED, APPROVED, REJECTED',
  ],
  ['shortcode', '72345', { status: 'APPROVED' }, 'status', 'UNKNOWN, PENDING, ACTIVE, INACTIVE'],
  [
    'whatsapp',
    line.address,
    { status: 'ACTIVE' },
    'status',
    'UNKNOWN, PENDING, APPROVED, UNVERIFIED, DISCONNECTED, MIGRATED, BANNED, DELETED',
  ],
])(
  'a person can state only known registrations of a %s: %s %j',
  async (kind, address, stated, path, allowed) => {
    const details = [{ path: `registration.${path}`, message: `must be one of ${allowed}` }]
    const rejected = { code: 'validation_failed', body: { details } }
    const registration = stated as SenderRow['registration']
    await expect(createSender(ctx, { kind, address, registration })).rejects.toMatchObject(rejected)
    const { id } = await createSender(ctx, { kind, address })
    await expect(updateSender(ctx, id, { registration })).rejects.toMatchObject(rejected)
  },
)

test('the API rejects an unknown registration and lists those that are allowed', async () => {
  const agent = await (await app.workspace()).credential()
  const { status, body } = await agent.post('/senders', { ...line, registration: { campaign: 'BANANA' } })
  expect(status).toBe(400)
  expect(body['error']['message']).toBe(
    'registration.campaign: must be one of UNKNOWN, PENDING, IN_PROGRESS, VERIFIED, FAILED, SUSPENDED',
  )
})

describe('a sender or template without a connection', () => {
  const elsewhere = () => ({ ...ctx, simulatesProviders: false })
  const template = { name: 'hi', language: 'en_US', category: 'UTILITY', body: 'Hi' } as const
  const details = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ body }) => body.details,
    )

  test('takes the only real connection, whether or not providers are simulated', async () => {
    const { id } = await real()
    await createConnection(ctx, {
      provider: 'twilio',
      name: 'Not real',
      account: 'AC2',
      simulated: true,
      secret: 's',
    })
    expect((await createSender(ctx, line)).connection_id).toBe(id)
    const second = { ...line, address: '+13125550187' }
    expect((await createSender(elsewhere(), second)).connection_id).toBe(id)
    const whatsapp = await real('whatsapp')
    expect((await createTemplate(ctx, template)).connection_id).toBe(whatsapp.id)
  })

  test('gets a 400 that lists the real connections if there are several', async () => {
    const first = await real()
    const second = await createConnection(ctx, {
      provider: 'twilio',
      name: 'Second',
      account: 'AC2',
      secret: 's',
    })
    expect(await details(createSender(ctx, line))).toEqual([
      {
        path: 'connection_id',
        message: `is required: there are 2 connections: Ours (${first.id}), Second (${second.id})`,
      },
    ])
    await disconnectConnection(ctx, second.id)
    expect((await createSender(ctx, line)).connection_id).toBe(first.id)
  })

  test('gets a 400, and no connection is made, where providers are not simulated and none is real', async () => {
    const missing = (provider: string) => [
      {
        path: 'connection_id',
        message: `is missing: there is no ${provider} connection yet; add one with POST /connections`,
      },
    ]
    expect(await details(createSender(elsewhere(), line))).toEqual(missing('twilio'))
    expect(await details(createTemplate(elsewhere(), template))).toEqual(missing('whatsapp'))
    const document = ctx.transaction((tx) => signatureConnectionFor(tx, elsewhere(), undefined))
    expect(await details(document)).toEqual(missing('documenso'))
    const call = ctx.transaction((tx) => voiceConnectionFor(tx, elsewhere(), undefined))
    expect(await details(call)).toEqual(missing('retell'))
    expect(await listConnections(ctx.directory, ctx.workspaceId)).toEqual([])
  })
})

test('senders and templates without a connection share a simulated one per provider', async () => {
  const phone = await createSender(ctx, line)
  const other = await createSender(ctx, { kind: 'tollfree', address: '+18335550188' })
  const whatsapp = await createSender(ctx, { kind: 'whatsapp', address: line.address })
  expect(other.connection_id).toBe(phone.connection_id)
  expect(whatsapp.connection_id).not.toBe(phone.connection_id)
  const template = await createTemplate(ctx, {
    name: 'hello',
    language: 'en_US',
    category: 'UTILITY',
    body: 'Hi',
  })
  expect(template.connection_id).toBe(whatsapp.connection_id)
})

test('a sender on a connection of another channel is rejected', async () => {
  const connection_id = (await real('whatsapp')).id
  expect(await issues(createSender(ctx, { ...line, connection_id }))).toEqual([
    'validation_failed',
    'connection_id',
  ])
})

describe('a template', () => {
  const draft = { name: 'hello', language: 'en_US', category: 'UTILITY', body: 'Hi {{1}}' } as const

  test('is found by connection, name and language', async () => {
    const template = await createTemplate(ctx, draft)
    const { connection_id: connectionId, name, language } = template
    expect(await findTemplate(ctx.db, { connectionId, name, language })).toEqual(template)
    const [other, ...spanish] = [
      { connectionId: (await real('whatsapp')).id, name, language },
      { connectionId, name, language: 'es' },
    ]
    for (const one of [other, ...spanish]) expect(one && (await findTemplate(ctx.db, one))).toBeUndefined()
    expect(await listTemplatesNamed(ctx.db, [...spanish, { connectionId, name, language }])).toEqual([
      template,
    ])
    expect(await issues(createTemplate(ctx, { ...draft, connection_id: connectionId }))).toEqual(['conflict'])
  })

  test('returns to pending when its text changes, unless the update sets its status', async () => {
    const { id } = await createTemplate(ctx, { ...draft, status: 'APPROVED' })
    expect(await updateTemplate(ctx, id, { body: draft.body })).toMatchObject({ status: 'APPROVED' })
    expect(await updateTemplate(ctx, id, { body: 'Hello {{1}}' })).toMatchObject({ status: 'PENDING' })
    const changed = { category: 'MARKETING', status: 'APPROVED' } as const
    expect(await updateTemplate(ctx, id, changed)).toMatchObject(changed)
  })

  test('gets only known statuses from a person', async () => {
    const agent = await (await app.workspace()).credential()
    const { status, body } = await agent.post('/templates', { ...draft, status: 'BANANA' })
    expect([status, body['error']['message']]).toEqual([
      400,
      'status: must be one of PENDING, APPROVED, REJECTED, IN_APPEAL, PAUSED, DISABLED, DELETED',
    ])
  })

  test('of a real connection cannot be marked approved by a member', async () => {
    const connection_id = (await real('whatsapp')).id
    const created = createTemplate(asMember(), { ...draft, connection_id, status: 'APPROVED' })
    expect(await issues(created)).toEqual(['validation_failed', 'status'])
    const { id } = await createTemplate(asMember(), { ...draft, connection_id })
    expect(await issues(updateTemplate(asMember(), id, { status: 'APPROVED' }))).toEqual([
      'validation_failed',
      'status',
    ])
  })
})
