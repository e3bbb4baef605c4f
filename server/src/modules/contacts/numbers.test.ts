import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Response } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { readAgain } from './read-again.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const idsOf = ({ body }: Response) => body['data'].map(({ id }: { id: string }) => id)

test.each([
  ['312-555-0161 (cell)', '+13125550161', null],
  ['tel:+1-312-555-0123', '+13125550123', null],
  ['+1 312 555 0123;ext=45', '+13125550123', '45'],
  ['(312) 555-0123 ext. 45', '+13125550123', '45'],
  ['312.555.0123 x7 office', '+13125550123', '7'],
  ['\u202a(312) 555‑0123\u202c', '+13125550123', null],
  ['+5215541637145', '+525541637145', null],
  ['call my wife', null, null],
  ['+12129110123', null, null],
])(
  'a contact keeps %j as written, and has its number and extension beside it',
  async (phone, number, ext) => {
    const workspace = await app.workspace()
    const agent = await workspace.credential()
    const written = phone.replaceAll(/[\u202a\u202c]/g, '')
    const made = await agent.post('/contacts', { phone })
    const stored = { phone: written, phone_e164: number, phone_extension: ext }
    expect([made.status, made.body]).toMatchObject([201, stored])
    const path = `/contacts/${made.body['id']}`
    expect((await agent.get(path)).body).toMatchObject(stored)
    expect((await agent.get('/contacts')).body['data']).toMatchObject([stored])
    const changed = (await agent.patch(path, { phone: '(773) 555-0177 ext 9' })).body
    expect(changed).toMatchObject({ phone_e164: '+17735550177', phone_extension: '9' })
    expect((await agent.patch(path, { phone })).body).toMatchObject(stored)
    expect((await agent.patch(path, { first_name: 'Ada' })).body).toMatchObject(stored)
    expect((await agent.patch(path, { phone: null })).body).toMatchObject({
      phone: null,
      phone_e164: null,
      phone_extension: null,
    })
  },
)

test('a lead has the number in E.164 and its extension, however they were written', async () => {
  const agent = await app.credential()
  for (const [phone, number, extension] of [
    ['312-555-0161 (cell)', '+13125550161', null],
    ['tel:+1-312-555-0123', '+13125550123', null],
    ['+1 312 555 0124;ext=45', '+13125550124', '45'],
    ['Work: (312) 555-0125 x 301', '+13125550125', '301'],
    ['３１２－５５５－０１２６', '+13125550126', null],
    [' 312-555-0127\r\n', '+13125550127', null],
    ["'+13125550128", '+13125550128', null],
  ]) {
    const { status, body } = await agent.post('/leads', { source: 'Web', phone })
    const stored = { phone: number, phone_e164: number, phone_extension: extension }
    expect([status, body]).toMatchObject([201, stored])
    expect((await agent.get(`/contacts/${body['contact_id']}`)).body).toMatchObject(stored)
  }
})

test('a person is one, however their number is written, also in the form of WhatsApp', async () => {
  for (const [first = '', ...others] of [
    ['(312) 555-0123', '+1 312 555 0123;ext=45', 'tel:+1-312-555-0123', '312-555-0123 (cell)'],
    ['+52 55 4163 7145', '+5215541637145', '5215541637145', '52 1 55 4163 7145'],
    ['+55 31 98765-4321', '+553187654321', '553187654321'],
    ['+54 11 15 2345-6789', '5491123456789', '+5491123456789', '+54 11 2345-6789'],
    ['+54 351 456-7890', '5493514567890'],
    ['+229 01 97 12 34 56', '+22997123456', '22997123456'],
    ['+225 07 07 12 34 56', '+22507123456', '+225 0707123456'],
  ]) {
    const agent = await app.credential()
    const { id } = (await agent.post('/contacts', { phone: first })).body
    for (const phone of others)
      expect((await agent.post('/leads', { source: 'Web', phone })).body['contact_id'], phone).toBe(id)
  }
})

test('without contacts:read:pii, the number and its extension are masked; events mask them for everyone', async () => {
  const workspace = await app.workspace()
  const [agent, few] = [
    await workspace.credential(),
    await workspace.credential('contacts:read', 'leads:read'),
  ]
  const phone = '312-555-0123 ext. 4567'
  const { id } = (await agent.post('/contacts', { phone })).body
  const lead = (await agent.post('/leads', { source: 'Web', phone })).body
  const masked = { phone_e164: '+1******0123', phone_extension: '******' }
  const [created] = (await agent.get('/events?type=contact.created')).body['data']
  const [captured] = (await agent.get('/events?type=lead.created')).body['data']
  for (const shown of [
    (await few.get(`/contacts/${id}`)).body,
    (await few.get('/contacts')).body['data'][0],
    (await few.get(`/leads/${lead['id']}`)).body,
    created.data.contact,
  ])
    expect(shown).toMatchObject(masked)
  expect(captured.data.lead).toMatchObject({ phone: '+1******0123', phone_extension: '******' })
  await agent.delete(`/contacts/${id}`)
  const none = { phone: null, phone_e164: null, phone_extension: null }
  expect((await agent.get(`/contacts/${id}`)).body).toMatchObject(none)
  expect((await agent.get(`/leads/${lead['id']}`)).body).toMatchObject(none)
})

test('what an earlier version stored is read again: number, words, and point, once', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const add = async (contact: object): Promise<string> => (await agent.post('/contacts', contact)).body['id']
  const cell = await add({ first_name: 'Łukasz', phone: '312-555-0123 (cell)' })
  const plain = await add({ last_name: 'O’Brien', phone: '(312) 555-0199 x5', tags: ['VIP', 'a "b"'] })
  const words = await add({ phone: 'call my wife' })
  const none = await add({ phone: '+12129110123' })
  const earlier = `update contacts set read_by = null, phone_e164 = null, phone_extension = null, search_names = ' x',
    search_details = '', search_tags = null where workspace_id = '${workspace.id}'`
  await asOwner(app.databaseUrl, earlier)
  await asOwner(app.databaseUrl, `delete from contact_points where contact_id = '${cell}'`)
  const before = (await agent.get(`/contacts/${cell}`)).body
  expect(before).toMatchObject({ phone: '312-555-0123 (cell)', phone_e164: null })
  expect(idsOf(await agent.get('/contacts?tag=vip'))).toEqual([plain])
  expect(await readAgain(app.runtime, workspace.id)).toBe(4)
  expect(await readAgain(app.runtime, workspace.id)).toBe(0)
  expect((await agent.get(`/contacts/${cell}`)).body).toEqual({ ...before, phone_e164: '+13125550123' })
  expect((await agent.get(`/contacts/${plain}`)).body).toMatchObject({
    phone_e164: '+13125550199',
    phone_extension: '5',
  })
  for (const id of [words, none])
    expect((await agent.get(`/contacts/${id}`)).body).toMatchObject({ phone_e164: null })
  for (const tag of ['vip', 'A "B"']) expect(idsOf(await agent.get(`/contacts?tag=${tag}`))).toEqual([plain])
  expect(idsOf(await agent.get('/contacts?q=lukasz'))).toEqual([cell])
  expect(idsOf(await agent.get('/contacts?q=obrien'))).toEqual([plain])
  expect(idsOf(await agent.get('/contacts?q=312-555-0123'))).toEqual([cell])
  const lead = await agent.post('/leads', { source: 'Web', phone: '+13125550123' })
  expect(lead.body['contact_id']).toBe(cell)
})

test('what an earlier version stored can be changed before it is read again', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { id } = (await agent.post('/contacts', { phone: '(312) 555-0123 x5' })).body
  await asOwner(
    app.databaseUrl,
    `update contacts set read_by = null, phone_e164 = null, phone_extension = null where id = '${id}'`,
  )
  await agent.patch(`/contacts/${id}`, { first_name: 'Ada' })
  expect(await readAgain(app.runtime, workspace.id)).toBe(0)
  const read = {
    first_name: 'Ada',
    phone: '(312) 555-0123 x5',
    phone_e164: '+13125550123',
    phone_extension: '5',
  }
  expect((await agent.get(`/contacts/${id}`)).body).toMatchObject(read)
})
