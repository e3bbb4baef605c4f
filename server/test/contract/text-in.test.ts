import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client
let contact_id: string
let list_agent_id: string

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  agent = await workspace.credential()
  contact_id = (await agent.post('/contacts', { phone: '+13125550123' })).body['id']
  list_agent_id = (await workspace.member()).id
})
afterAll(() => app[Symbol.asyncDispose]())

const times = { starts_at: '2026-12-05T18:00:00.000Z', ends_at: '2026-12-05T19:00:00.000Z' }

/** Requests with a text, and the member of the response that shows it. */
const writes: [route: string, body: () => object, shown: (body: Record<string, never>) => unknown][] = [
  ['/contacts', () => ({ notes: text }), ({ notes }) => notes],
  ['/contacts/{id}/notes', () => ({ body: text }), ({ body }) => body],
  [
    '/tasks',
    () => ({ title: `Call ${layouts.findIndex(([one]) => one === text)}`, description: text }),
    ({ description }) => description,
  ],
  ['/deals', () => ({ name: 'A deal', description: text }), ({ description }) => description],
  ['/listings', () => ({ list_agent_id, public_remarks: text }), (body) => body['public_remarks']],
  ['/appointments', () => ({ type: 'call', ...times, location: text }), ({ location }) => location],
  [
    '/automations',
    () => ({ name: 'A', description: text, definition: { steps: [{ key: 'a', type: 'pause_ai' }] } }),
    (b) => b['description'],
  ],
]
let text = ''

const layouts: [written: string, stored: string][] = [
  ['a\r\nb', 'a\nb'],
  ['a\rb', 'a\nb'],
  ['a\fb', 'a\nb'],
  ['a\vb', 'a\nb'],
  ['a\u2028b\u2029c', 'a\nb\nc'],
  ['\ufeffa\ufeffb', 'ab'],
  ['a\u0085b', 'a\nb'],
  ['a\x07b', 'ab'],
  ['a\u00adb\u200b', 'ab'],
  ['see \ufffc', 'see '],
]

test.each(writes)('POST %s takes the layout of other programs, and stores LF', async (route, body, shown) => {
  for (const [written, stored] of layouts) {
    text = written
    const made = await agent.post(route.replace('{id}', contact_id), body())
    expect([made.status, shown(made.body as never)], JSON.stringify(written)).toEqual([201, stored])
  }
})

test('the body of a message is stored with LF, and names the character that cannot be stored', async () => {
  const sent = { channel: 'sms', to: '+13125550123', body: 'a\r\nb\u2028c' }
  await agent.post('/messages', sent)
  const [stored] = (await agent.get('/messages')).body['data']
  expect(stored.body).toBe('a\nb\nc')
  for (const [body, named] of [
    ['a\0', 'U+0000 at position 1 '],
    ['\ud800', 'U+D800, half of a surrogate pair, at position 0 '],
    ['ab\udfff', 'U+DFFF, half of a surrogate pair, at position 2 '],
  ]) {
    const rejected = await agent.post('/messages', { ...sent, body })
    const [{ path, message }] = rejected.body['error'].details
    expect([rejected.status, path, message]).toEqual([400, 'body', expect.stringContaining(named ?? '')])
  }
})

test('what is in a lead’s context and form is kept as it came; its own fields are read', async () => {
  const came = { 'a\r\nb': ['c\r\nd', ' e ', '', null, '\ufeff\u2028\x07'], blank: ' ' }
  const lead = {
    source: ' Web\u00a0',
    phone: ' 312-555-0161 (cell)\r\n',
    first_name: '\u200b',
    last_name: null,
    email: ' jane@x.example ',
    context: came,
    consent: { captured_at: ' 2026-03-02T14:59 ', source_url: ' https://x.example/a ', form_snapshot: came },
  }
  const { status, body } = await agent.post('/leads', lead)
  expect([status, body]).toMatchObject([
    201,
    {
      source: 'Web',
      phone: '+13125550161',
      first_name: null,
      last_name: null,
      email: 'jane@x.example',
      context: came,
      consent: {
        captured_at: ' 2026-03-02T14:59 ',
        source_url: 'https://x.example/a',
        form_snapshot: came,
        sufficient: false,
      },
      ai_outbound_blockers: ['captured_at_invalid'],
    },
  ])
  const lean = {
    source: 'Web',
    phone: '3125550162',
    email: '',
    source_ref: ' ',
    context: null,
    consent: null,
  }
  expect((await agent.post('/leads', { ...lean, skip_routing: null })).body).toMatchObject({
    email: null,
    source_ref: null,
    context: null,
    consent: null,
    ai_outbound_blockers: ['consent_missing'],
  })
})

test('an empty or null optional member is none; in a patch, it clears a field that may be null', async () => {
  const empty = {
    first_name: '\u00a0',
    last_name: '\u3000',
    email: '',
    phone: ' ',
    source: '',
    notes: '\r\n',
  }
  const none = { first_name: null, last_name: null, email: null, phone: null, source: null, notes: null }
  const rest = { stage: '', tags: ['', ' '], address: { street: ' ' }, timezone: '', owner_id: '' }
  const made = await agent.post('/contacts', { ...empty, ...rest })
  expect([made.status, made.body]).toMatchObject([
    201,
    { ...none, stage: 'LEAD', tags: [], address: null, timezone: null, owner_id: null },
  ])
  const full = {
    first_name: 'Jane',
    last_name: 'Roe',
    email: 'jane@x.example',
    phone: '+13125550199',
    source: 'Web',
  }
  const { id } = (await agent.post('/contacts', { ...full, notes: 'a' })).body
  expect((await agent.patch(`/contacts/${id}`, empty)).body).toMatchObject(none)
  for (const field of ['stage', 'tags'])
    expect((await agent.patch(`/contacts/${id}`, { [field]: null })).status, field).toBe(400)
})

test.each([
  ['Central Standard Time', 'America/Chicago'],
  ['america/chicago', 'America/Chicago'],
  ['Eastern Standard Time', 'America/New_York'],
  ['US Mountain Standard Time', 'America/Phoenix'],
  ['(UTC-08:00) Pacific Time (US & Canada)', 'America/Los_Angeles'],
  ['AMERICA/NEW_YORK\r\n', 'America/New_York'],
  ['america/los angeles', 'America/Los_Angeles'],
])('the time zone %s is %s, wherever there is one', async (written, timezone) => {
  expect((await agent.post('/contacts', { timezone: written })).body).toMatchObject({ timezone })
  expect((await agent.patch('/workspace', { timezone: written })).body).toMatchObject({ timezone })
  const appointment = { type: 'call', ...times, timezone: written }
  expect((await agent.post('/appointments', appointment)).body).toMatchObject({ timezone })
  const pool = { method: 'direct', pool: { members: [list_agent_id] } }
  const rules = [{ name: 'a', ...pool, schedule: { from: '09:00', to: '17:00', timezone: written } }]
  const body = { timezone: written, rules, default: pool }
  const set = await agent.request('PUT', '/routing-rules', { body })
  expect(set.body).toMatchObject({ timezone, rules: [{ schedule: { timezone } }] })
})
