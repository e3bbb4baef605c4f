import { expect, test } from 'vitest'
import { type Responses, startScriptedApi, withStatus } from '#test/egress/scripted-api.ts'
import { whatsAppAccount } from '#test/support/accounts.ts'
import type { ProviderAccount } from '../../modules/messages/ports.ts'
import { readNumberStatus } from './number-status.ts'
import { listMetaTemplates } from './templates.ts'

const account: ProviderAccount = { ...whatsAppAccount, secrets: ['EAAJ2 app-secret'] }

const listing = async (responses: Responses) => {
  await using api = await startScriptedApi(responses)
  return { listed: await listMetaTemplates(api.place, account), requested: api.requested }
}

const body = { type: 'BODY', text: 'Hi {{1}}, see you at {{2}}.', example: { body_text: [['Ann', 'two']] } }
const template = (more: object = {}) => ({
  id: '594425479261596',
  name: 'showing_confirmed',
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  components: [body],
  ...more,
})
const page = (data: unknown[], after?: string) => ({
  data,
  paging: {
    cursors: { before: 'MAZD', after: after ?? 'MjQZD' },
    ...(after !== undefined && {
      next: `https://graph.facebook.com/v24.0/1/message_templates?after=${after}`,
    }),
  },
})

test('templates are read page by page, with Meta’s own values', async () => {
  const { listed, requested } = await listing((path) =>
    path.includes('after=NEXT') ? page([template({ name: 'second' })]) : page([template()], 'NEXT'),
  )
  const { name, language, category, status } = template()
  expect(listed).toEqual([
    { name, language, category, status, body: body.text },
    { name: 'second', language, category, status, body: body.text },
  ])
  const fields = 'fields=name%2Clanguage%2Cstatus%2Ccategory%2Ccomponents&limit=50'
  expect(requested).toEqual([
    `GET /v24.0/102290129340398/message_templates?${fields}`,
    `GET /v24.0/102290129340398/message_templates?${fields}&after=NEXT`,
  ])
})

const header = (more: object) => ({ components: [{ type: 'HEADER', ...more }, body] })
const button = (url: string) => ({
  components: [body, { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url }] }],
})

test.for<[string, object, number]>([
  ['no variables', { components: [{ type: 'BODY', text: 'Hi' }] }, 1],
  ['a footer', { components: [body, { type: 'FOOTER', text: 'Lantern & Oak' }] }, 1],
  ['a header of text', header({ format: 'TEXT', text: 'Your showing' }), 1],
  ['a button without a variable', button('https://lantern.example'), 1],
  ['another status', { status: 'PAUSED' }, 1],
  ['named variables', { components: [{ type: 'BODY', text: 'Hi {{first_name}}' }] }, 0],
  ['a header of a picture', header({ format: 'IMAGE' }), 0],
  ['a header with a variable', header({ format: 'TEXT', text: '{{1}}' }), 0],
  ['a button with a variable', button('https://lantern.example/{{1}}'), 0],
  ['no body', { components: [] }, 0],
  ['no status', { status: null }, 0],
])('a template with %s is listed only if it can be sent', async ([, more, count]) => {
  const { listed } = await listing(() => page([template(more)]))
  expect(listed).toHaveLength(count)
})

test.for<[unknown, RegExp]>([
  [withStatus(401, { error: { message: 'EAAJ2 is wrong' } }), /^Meta’s templates: status 401$/],
  [withStatus(500), /status 500/],
  [page([template()], 'AGAIN'), /more than 200 pages/],
])('a list that cannot be read to the end is an error without Meta’s message', async ([said, message]) => {
  await expect(listing(() => said)).rejects.toThrow(message)
})

test('an empty or malformed list has no templates', async () => {
  for (const said of [{ data: [] }, {}, 'no JSON']) expect((await listing(() => said)).listed).toEqual([])
})

test.for<[unknown, string | undefined]>([
  [{ id: '1', status: 'CONNECTED' }, 'APPROVED'],
  [{ status: 'PENDING' }, 'PENDING'],
  [{ status: 'BANNED' }, 'BANNED'],
  [{ status: 'DISCONNECTED' }, 'DISCONNECTED'],
  [{ status: 'FLAGGED' }, undefined],
  [{ status: 'RATE_LIMITED' }, undefined],
  [{ status: 'SOMETHING_NEW' }, undefined],
  [{ id: '1' }, undefined],
  ['no JSON', undefined],
])('a number with the response %j has the status %s', async ([said, status]) => {
  await using api = await startScriptedApi(() => said)
  expect(await readNumberStatus(api.place, account, '+13125550188')).toBe(status)
  expect(api.requested).toEqual(['GET /v24.0/13125550188?fields=status'])
})

test('a failed status request is an error; a number without an ID has no status', async () => {
  await using api = await startScriptedApi(() => withStatus(400))
  await expect(readNumberStatus(api.place, account, '+13125550188')).rejects.toThrow('status 400')
  const real = { ...account, simulated: false }
  expect(await readNumberStatus(api.place, real, '+13125550188')).toBeUndefined()
})
