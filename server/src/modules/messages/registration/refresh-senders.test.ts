import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createContext } from '#kernel/context.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import {
  type Provider,
  createConnection,
  createSender,
  listSendersById,
  listTemplates,
  updateSender,
} from '../../senders/public.ts'
import type { Carrier, Carriers, ProviderTemplate, Registration } from '../ports.ts'
import { refreshSenders } from './jobs.ts'
import { askAboutSender, saveReport } from './refresh-senders.ts'

let databaseUrl: string
let app: TestApp
let workspace: TestWorkspace
/** What the providers return, by address and by account, and the addresses that they were asked about. */
let says: Record<string, Registration | Error>
let lists: Record<string, ProviderTemplate[] | Error>
let asked: string[]
let numbers = 0

const orThrow = <T>(said: T | Error): T => {
  if (said instanceof Error) throw said
  return said
}
const carrier = {
  async readRegistration(_account, { address }) {
    asked.push(address)
    return orThrow(says[address] ?? {})
  },
  listTemplates: async ({ name }) => orThrow(lists[name] ?? []),
} as Pick<Carrier, 'readRegistration' | 'listTemplates'> as Carrier
const carriers: Carriers = { twilio: carrier, whatsapp: carrier, email: undefined }
const run = () => refreshSenders(carriers).handle(app.runtime)

beforeAll(async () => {
  databaseUrl = await freshDatabase('refresh_senders')
  app = await testApp({ databaseUrl })
  return () => app[Symbol.asyncDispose]()
})
beforeEach(async () => {
  workspace = await app.workspace()
  says = {}
  lists = {}
  asked = []
})

const connect = (provider: Provider, account: string, simulated = false) =>
  createConnection(workspace.ctx, { provider, name: account, account, simulated, secret: 'the-token secret' })
const newSender = async (connection_id: string, registration: Registration = {}) =>
  createSender(workspace.ctx, {
    kind: '10dlc',
    address: `+1312555${String(1000 + ++numbers)}`,
    connection_id,
    registration,
  })
const statesOf = async (id: string) => (await listSendersById(workspace.ctx.db, [id]))[0]?.registration
const published = async (): Promise<unknown[]> =>
  (
    await asOwner<{ name: string; data: object }>(
      databaseUrl,
      `select name, data from events where workspace_id = $1 and name in ('sender.updated', 'template.created', 'template.updated') order by id`,
      [workspace.id],
    )
  ).map(({ name, data }) => [name, data])

const approved = { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' }

test.for<[string, Registration, Registration | Error, Registration]>([
  ['all states', {}, approved, approved],
  [
    'some of them',
    { number: 'REGISTERED' },
    { brand: 'FAILED' },
    { brand: 'FAILED', campaign: 'UNKNOWN', number: 'REGISTERED' },
  ],
  ['nothing', approved, {}, approved],
  ['what it said before', approved, approved, approved],
  ['an error', approved, new Error('Twilio’s services: status 500'), approved],
  ['a state of another kind', approved, { status: 'ACTIVE', domain_authenticated: true }, approved],
  ['no state', approved, { brand: '', campaign: 'x'.repeat(201), number: 'a\0b' }, approved],
  [
    'a state that no one knows',
    approved,
    { campaign: 'Vetting, step 2' },
    { ...approved, campaign: 'Vetting, step 2' },
  ],
  [
    'that a number is listed that a carrier rejects',
    { ...approved, number: 'UNREGISTERED' },
    approved,
    { ...approved, number: 'UNREGISTERED' },
  ],
])(
  'a refresh stores the correct registration states when the provider reports %s',
  async ([, before, said, after]) => {
    const { id } = await connect('twilio', 'AC1')
    const sender = await newSender(id, before)
    says[sender.address] = said
    const { updated_at } = sender
    await run()
    await run()
    expect(await statesOf(sender.id)).toEqual(after)
    const isChanged = JSON.stringify(after) !== JSON.stringify(sender.registration)
    expect(await published()).toEqual(
      isChanged ? [['sender.updated', { id: sender.id, kind: '10dlc', changed: ['registration'] }]] : [],
    )
    const [row] = await listSendersById(workspace.ctx.db, [sender.id])
    expect(row?.updated_at === updated_at).toBe(!isChanged)
  },
)

test('a refresh keeps states set by the operator that the provider does not report', async () => {
  const { id } = await connect('twilio', 'AC1')
  const sender = await newSender(id)
  await updateSender(workspace.ctx, sender.id, { registration: { brand: 'APPROVED' } })
  says[sender.address] = { campaign: 'IN_PROGRESS' }
  await run()
  expect(await statesOf(sender.id)).toEqual({ brand: 'APPROVED', campaign: 'IN_PROGRESS', number: 'UNKNOWN' })
})

test('a failing sender or connection does not block the others', async () => {
  const [first, second] = [await connect('twilio', 'AC1'), await connect('twilio', 'AC2')]
  const [broken, fine] = [await newSender(first.id), await newSender(first.id)]
  await asOwner(databaseUrl, 'update connections set secret = $2 where id = $1', [first.id, Buffer.from('x')])
  const third = await connect('twilio', 'AC3')
  const [failing, after] = [await newSender(third.id), await newSender(third.id)]
  const elsewhere = await newSender(second.id)
  for (const one of [fine, after, elsewhere]) says[one.address] = approved
  says[failing.address] = new Error('No.')
  await run()
  const states = [broken, fine, failing, after, elsewhere].map(async ({ id }) => (await statesOf(id))?.brand)
  expect(await Promise.all(states)).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN', 'APPROVED', 'APPROVED'])
})

test('a refresh asks about every sender of a real connection, page by page, and no simulated one', async () => {
  const { id } = await connect('twilio', 'AC1')
  const made: string[] = []
  for (let i = 0; i < 102; i++) made.push((await newSender(id)).address)
  const simulated = await newSender((await connect('twilio', 'AC9', true)).id)
  await run()
  expect(asked.filter((one) => made.includes(one))).toEqual(made)
  expect(asked).not.toContain(simulated.address)
})

test('a refresh of one sender stores what its provider reports to any caller, and the templates of its account', async () => {
  const asMember = createContext(app.runtime, {
    workspaceId: workspace.id,
    actor: { type: 'member', id: 'someone', name: 'Someone' },
    scopes: workspace.ctx.scopes,
  })
  const refreshed = async (id: string) => saveReport(asMember, await askAboutSender(asMember, carriers, id))
  const { id } = await connect('whatsapp', '1023')
  const draft = { kind: 'whatsapp', address: '+13125550123', connection_id: id } as const
  const sender = await createSender(workspace.ctx, draft)
  says[sender.address] = new Error('Meta’s numbers: status 401')
  await expect(refreshed(sender.id)).rejects.toMatchObject({
    code: 'provider_unavailable',
    status: 503,
    message: 'The provider does not report the sender: Meta’s numbers: status 401',
  })
  says[sender.address] = { status: 'APPROVED' }
  lists['1023'] = [{ ...template, name: 'Not a name' }, template]
  expect(await refreshed(sender.id)).toMatchObject({ registration: { status: 'APPROVED' } })
  expect(await listTemplates(workspace.ctx.db)).toMatchObject([{ name: template.name, connection_id: id }])
  expect(await published()).toMatchObject([
    ['template.created', {}],
    ['sender.updated', {}],
  ])
  await refreshed(sender.id)
  expect(await published()).toHaveLength(2)
})

const template: ProviderTemplate = {
  name: 'showing_confirmed',
  language: 'en_US',
  category: 'UTILITY',
  status: 'PENDING',
  body: 'Hi {{1}}.',
}

test('templates are created and updated as the provider lists them; unlisted ones stay', async () => {
  const { id: connection_id } = await connect('whatsapp', '1022')
  const named = { name: template.name, language: template.language }
  const known = async () =>
    (await listTemplates(workspace.ctx.db)).map(({ name, status, category, body }) => [
      name,
      status,
      category,
      body,
    ])
  const steps: [ProviderTemplate[] | Error, unknown[], unknown[]][] = [
    [[template], [[template.name, 'PENDING', 'UTILITY', 'Hi {{1}}.']], [['template.created', named]]],
    [
      [{ ...template, status: 'APPROVED' }],
      [[template.name, 'APPROVED', 'UTILITY', 'Hi {{1}}.']],
      [['template.updated', { ...named, changed: ['status'] }]],
    ],
    [[{ ...template, status: 'APPROVED' }], [[template.name, 'APPROVED', 'UTILITY', 'Hi {{1}}.']], []],
    [[], [[template.name, 'APPROVED', 'UTILITY', 'Hi {{1}}.']], []],
    [new Error('Meta’s templates: status 401'), [[template.name, 'APPROVED', 'UTILITY', 'Hi {{1}}.']], []],
    [
      [{ ...template, category: 'MARKETING', body: 'Hello.', status: 'APPROVED' }],
      [[template.name, 'APPROVED', 'MARKETING', 'Hello.']],
      [['template.updated', { ...named, changed: ['category', 'body'] }]],
    ],
    [
      [
        { ...template, name: 'Not a name' },
        { ...template, language: 'English' },
        { ...template, category: 'OTHER' },
        { ...template, name: 'second' },
      ],
      [
        [template.name, 'APPROVED', 'MARKETING', 'Hello.'],
        ['second', 'PENDING', 'UTILITY', 'Hi {{1}}.'],
      ],
      [['template.created', { name: 'second', language: 'en_US' }]],
    ],
  ]
  let before = 0
  for (const [listed, templates, events] of steps) {
    lists['1022'] = listed
    await run()
    expect(await known()).toEqual(templates)
    const all = await published()
    expect(all.slice(before)).toMatchObject(events)
    expect(all).toHaveLength(before + events.length)
    before = all.length
  }
  expect((await listTemplates(workspace.ctx.db)).map((one) => one.connection_id)).toEqual([
    connection_id,
    connection_id,
  ])
})
