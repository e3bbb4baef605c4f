import { type TestWorkspace, type TestApp, testApp, towardsLoopback } from '@gable/server/test/support/app.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { type Contact, Gable } from 'gable'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GuidePage, guidePage } from '../support/guide-page.ts'

type Json = Record<string, unknown>

interface Mirror {
  find(id: string): Promise<Contact | undefined>
  save(contact: Contact): Promise<void>
  erase(id: string): Promise<void>
  ids(): Promise<string[]>
}

interface Sync {
  pull(gable: Gable, mirror: Mirror, since?: string): Promise<string>
  follow(gable: Gable, mirror: Mirror, id: string): Promise<void>
  push(
    gable: Gable,
    mirror: Mirror,
    contact: Contact,
    change: (now: Contact) => Json | undefined,
  ): Promise<Contact>
  upsert(gable: Gable, mirror: Mirror, recordId: string, draft: Json): Promise<Contact | null>
  eraseErased(gable: Gable, mirror: Mirror): Promise<void>
}

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp
let workspace: TestWorkspace
let key: string
let gable: Gable
let sync: Sync
const rows = new Map<string, Contact>()
const mirror: Mirror = {
  find: async (id) => rows.get(id),
  save: async (contact) => void rows.set(contact.id, contact),
  erase: async (id) => void rows.delete(id),
  ids: async () => [...rows.keys()],
}

beforeAll(async () => {
  page = opened.use(await guidePage('sync-contacts'))
  const databaseUrl = await freshDatabase('sync_contacts')
  app = opened.use(await testApp({ databaseUrl, now: new Date(), egress: towardsLoopback }))
  sync = await page.load<Sync>('sync.mjs')
})
afterAll(() => opened.disposeAsync())
beforeEach(async () => {
  workspace = await app.workspace()
  key = (await workspace.credential('contacts:write', 'contacts:read:pii', 'webhooks:manage')).key ?? ''
  gable = new Gable({ apiKey: key, baseUrl: app.url })
  rows.clear()
})

test('the requests of the guide find, change, and miss contacts as it says', async () => {
  const ada = await gable.contacts.create({ first_name: 'Ada', phone: '+13125550123' })
  const gone = await gable.contacts.create({ first_name: 'Grace', phone: '+13125550124' })
  const variables = {
    API: app.base,
    KEY: key,
    ENDPOINT: 'http://127.0.0.1:3000/gable',
    SINCE: new Date(app.clock.now().getTime() - 60_000).toISOString(),
    CONTACT: ada.id,
    VERSION: ada.updated_at,
    ERASED: gone.id,
  }
  const curl = async (part: string) => JSON.parse(await page.curl(part, variables)) as Json
  expect(await curl('phone=312')).toMatchObject({
    data: [{ id: ada.id, first_name: 'Ada', updated_at: ada.updated_at }],
    has_more: false,
  })
  const { id: _id, updated_at: _at, ...upserted } = page.shown('"external_ids"') as Json
  const [first, second] = [await curl('/contacts?upsert'), await curl('/contacts?upsert')]
  expect([first, second]).toEqual([expect.objectContaining(upserted), first])
  expect(await curl('/contacts/batch')).toMatchObject({
    results: [{ status: 200, data: { id: first['id'], last_name: 'Reyes' } }, { status: 201 }],
  })
  const { data: listed } = (await curl('updated_after')) as { data: Contact[] }
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([gone.id, ada.id]))
  expect(await curl('event_types')).toMatchObject({ status: 'active' })
  app.clock.advance(1000)
  const { updated_at: _, ...changed } = page.shown('"ACTIVE_CLIENT"') as Json
  expect(await curl('If-Match')).toEqual({
    ...changed,
    id: ada.id,
    updated_at: app.clock.now().toISOString(),
  })
  expect(await curl('If-Match')).toMatchObject({ error: { code: 'precondition_failed' } })
  await gable.contacts.delete(gone.id)
  expect(await curl('?ids=')).toMatchObject({ data: [{ id: ada.id }] })
  expect(await curl('erased_at"')).toMatchObject({ first_name: null, erased_at: expect.any(String) })
})

test('the sync copies everything once, then what has changed', async () => {
  const agent = await workspace.credential()
  const ada = await gable.contacts.create({ first_name: 'Ada', phone: '+13125550123' })
  const since = await sync.pull(gable, mirror)
  expect([...rows.keys()]).toEqual([ada.id])
  app.clock.advance(10 * 60_000)
  await agent.patch(`/contacts/${ada.id}`, { first_name: 'Augusta' })
  const grace = await gable.contacts.create({ first_name: 'Grace' })
  await sync.pull(gable, mirror, since)
  expect([...rows.values()].map(({ first_name }) => first_name)).toEqual(['Augusta', 'Grace'])
  await gable.contacts.delete(grace.id)
  await sync.follow(gable, mirror, grace.id)
  await gable.contacts.delete(ada.id)
  await sync.pull(gable, mirror, since)
  expect([...rows.keys()]).toEqual([ada.id])
  await sync.eraseErased(gable, mirror)
  expect(rows.size).toBe(0)
})

test('a change is merged with one that was made meanwhile', async () => {
  const agent = await workspace.credential()
  const ada = (await sync.upsert(gable, mirror, 'record-1', { first_name: 'Ada' })) as Contact
  expect(await sync.upsert(gable, mirror, 'record-1', { first_name: 'Ada' })).toEqual(ada)
  app.clock.advance(1000)
  await agent.patch(`/contacts/${ada.id}`, { tags: ['vip'] })
  app.clock.advance(1000)
  const seen: string[][] = []
  const after = await sync.push(gable, mirror, ada, ({ tags }) => {
    seen.push(tags)
    return { tags: [...tags, 'seller'] }
  })
  expect([seen, after.tags, rows.get(ada.id)?.tags]).toEqual([
    [[], ['vip']],
    ['vip', 'seller'],
    ['vip', 'seller'],
  ])
  const same = await sync.push(gable, mirror, after, ({ tags }) => ({ tags }))
  expect(same.updated_at).toBe(after.updated_at)
})

test('an upsert creates, changes, and does not bring back erased people', async () => {
  const ada = (await sync.upsert(gable, mirror, 'record-1', { first_name: 'Ada' })) as Contact
  app.clock.advance(1000)
  expect(await sync.upsert(gable, mirror, 'record-1', { last_name: 'Reyes' })).toMatchObject({ id: ada.id })
  expect(rows.get(ada.id)).toMatchObject({ first_name: 'Ada', last_name: 'Reyes' })
  await gable.contacts.delete(ada.id)
  expect(await sync.upsert(gable, mirror, 'record-1', { first_name: 'Ada' })).toBeNull()
})

test('every script and request of the guide was run', () => expect(page.notRun()).toEqual([]))
