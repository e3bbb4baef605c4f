import { afterAll, beforeAll, expect, test } from 'vitest'
import { idsOf } from '#test/contract/lists.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { idOf } from '#test/support/fixtures.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  agent = await workspace.credential()
})
afterAll(() => app[Symbol.asyncDispose]())

const add = async (draft: object) => idOf(await agent.post('/contacts', draft))
const found = async (query: string, client = agent) => idsOf(await client.get(`/contacts?${query}`))

test('a number finds who has it now, however it is written, and an address in any case', async () => {
  const ada = await add({
    first_name: 'Ada',
    phone: '+1 312 555 0101',
    email: 'Ada@Reyes.example',
    tags: ['a'],
  })
  const bo = await add({ first_name: 'Bo', phone: '+13125550102', email: 'bo@reyes.example' })
  for (const phone of ['(312) 555-0101', '3125550101', '%2B13125550101'])
    expect([phone, await found(`phone=${phone}`)]).toEqual([phone, [ada]])
  expect(await found('email=ADA@reyes.EXAMPLE')).toEqual([ada])
  expect(await found('phone=3125550101&email=bo@reyes.example')).toEqual([])
  for (const further of ['q=ada', 'tag=A', 'stage=LEAD', `ids=${ada},${bo}`])
    expect([further, await found(`phone=3125550101&${further}`)]).toEqual([further, [ada]])
  expect(await found(`phone=3125550101&q=ada&ids=${bo}`)).toEqual([])
  for (const none of ['phone=none', 'email=none', 'phone=', 'email=', 'phone=3125550199'])
    expect([none, await found(none)]).toEqual([none, []])
  await agent.patch(`/contacts/${ada}`, { phone: '+13125550103' })
  expect([await found('phone=3125550101'), await found('phone=3125550103')]).toEqual([[], [ada]])
  const { contact_id } = (
    await agent.post('/leads', { source: 'Web', phone: '3125550102', email: 'b@o.example' })
  ).body
  expect([contact_id, await found('email=b@o.example')]).toEqual([bo, [bo]])
})

test('a number and an address need the scope that shows them, known or not', async () => {
  const masked = await workspace.credential('contacts:read')
  await add({ phone: '+13125550111' })
  for (const path of ['/contacts', '/contacts/count'])
    for (const query of ['phone=3125550111', 'phone=3125550112', 'email=x@y.example'])
      expect(await masked.get(`${path}?${query}`)).toMatchObject({
        status: 403,
        body: { error: { code: 'insufficient_scope', details: [{ message: 'contacts:read:pii' }] } },
      })
})

test('a number does not find a contact out of reach', async () => {
  const { id } = await workspace.member()
  const member = await workspace.keyFor(id)
  await add({ phone: '+13125550121' })
  const own = await add({ phone: '+13125550122', owner_id: id, tags: ['own'] })
  expect(await found('phone=3125550121', member)).toEqual([])
  for (const query of ['', '&tag=own']) expect(await found(`phone=3125550122${query}`, member)).toEqual([own])
})

test('tags_all returns contacts with all of the tags, in any case', async () => {
  const both = await add({ tags: ['Buyer', 'VIP'], stage: 'SPHERE' })
  const one = await add({ tags: ['buyer'] })
  expect(await found('tags_all=buyer,vip')).toEqual([both])
  expect((await found('tags_all=BUYER')).toSorted()).toEqual([both, one].toSorted())
  expect(await found('tag=vip&tags_all=buyer&stage=SPHERE,TRASH')).toEqual([both])
  expect(await found('tags_all=vip&stage=LEAD')).toEqual([])
  expect((await agent.get('/contacts/count?tags_all=buyer,vip')).body).toEqual({ count: 1, exact: true })
})

test('times of creation and what a contact has limit the list, with and without words', async () => {
  const here = await (await app.workspace()).credential()
  const make = async (draft: object) => {
    app.clock.advance(60_000)
    return idOf(await here.post('/contacts', { first_name: 'Cleo', tags: ['c'], ...draft }))
  }
  const [first, second, third] = [
    await make({ phone: '1' }),
    await make({ email: 'c@x.example' }),
    await make({}),
  ]
  const times = ((await here.get('/contacts')).body['data'] as { created_at: string }[]).map(
    ({ created_at }) => created_at,
  )
  for (const words of ['', '&q=cleo', '&tag=c']) {
    expect(await found(`created_after=${times[1]}${words}`, here)).toEqual([third, second])
    expect(await found(`created_before=${times[1]}${words}`, here)).toEqual([first])
    expect(await found(`created_after=${times[2]}&created_before=${times[0]}${words}`, here)).toEqual([
      second,
      first,
    ])
    expect(await found(`has=phone${words}`, here)).toEqual([first])
    expect(await found(`has=email${words}`, here)).toEqual([second])
    expect(await found(`has=phone,email${words}`, here)).toEqual([])
    expect(await found(`updated_after=${times[0]}${words}`, here)).toEqual([third])
  }
})
