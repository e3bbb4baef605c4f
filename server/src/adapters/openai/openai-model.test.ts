import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { faultInFormat } from '@gable/sandbox/model/strict-mode.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { replyForm } from '../../modules/ai/model/proposal.ts'
import { reviewForm } from '../../modules/ai/model/review.ts'
import type { LanguageModel } from '../../modules/ai/ports.ts'
import { summaryForm } from '../../modules/ai/summary/call-summary.ts'
import { openaiModel } from './openai-model.ts'
import { strictSchema } from './strict-schema.ts'

/** The last request body, and the server's response. */
let asked: Record<string, unknown> = {}
let status = 200
let response: object = {}

const server = createServer((request, reply) => {
  let body = ''
  request.setEncoding('utf8').on('data', (part: string) => (body += part))
  request.on('end', () => {
    asked = JSON.parse(body) as Record<string, unknown>
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(response))
  })
})
const egress = createEgress({ allowHttp: 'all', allowPrivate: 'all', timeoutMs: 3_000 })
let url = ''

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  status = 200
  response = completion('{}')
})

const usage = { prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 }
const counted: object = { usage }
const completion = (content: string | null, more = counted, finish_reason = 'stop') => ({
  id: '1',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
  ...more,
})

const place = { key: 'sk', name: 'small', price: { input: 1, output: 1 }, reasoning: undefined } as const
const modelAt = (more: object = {}): LanguageModel => openaiModel({ ...place, url, ...more }, egress)
const ask = (model = modelAt()) =>
  model.propose({ system: 'You respond.', turns: [], schema: replyForm.schema, maxTokens: 700 })

test('the schemas of all forms are valid for strict structured outputs', () => {
  for (const { schema } of [replyForm, reviewForm, summaryForm]) {
    const format = (sent: object) => ({ json_schema: { name: 'proposal', strict: true, schema: sent } })
    expect(faultInFormat(format(strictSchema(schema)))).toBeUndefined()
    expect(faultInFormat(format(schema))).toContain("must have a 'type' key")
    expect(JSON.stringify(strictSchema(schema))).not.toMatch(/m(in|ax)(Length|Items)/)
  }
})

test('faults of a schema in strict mode are found', () => {
  const object = (properties: object, more: object = {}) => ({
    json_schema: {
      strict: true,
      schema: { type: 'object', properties, required: ['a'], additionalProperties: false, ...more },
    },
  })
  const text = { type: 'string' }
  expect(faultInFormat(object({ a: text }))).toBeUndefined()
  expect(faultInFormat(object({ a: { anyOf: [{ enum: ['x'] }, { type: 'null' }] } }))).toContain("'type'")
  expect(faultInFormat(object({ a: { type: 'array', items: {} } }))).toContain("'items'")
  expect(faultInFormat(object({ a: text, b: text }))).toContain("Missing 'b'")
  expect(faultInFormat(object({ a: text }, { additionalProperties: true }))).toContain('additionalProperties')
  expect(faultInFormat(object({ a: { allOf: [text] } }))).toContain("'allOf' is not permitted")
  expect(faultInFormat({ json_schema: { strict: true, schema: { anyOf: [] } } })).toContain("'object'")
})

test('a server other than OpenAI gets max_tokens', async () => {
  await ask()
  expect(asked).toMatchObject({ model: 'small', max_tokens: 700 })
  expect(asked).not.toHaveProperty('max_completion_tokens')
  expect(asked).not.toHaveProperty('reasoning_effort')
})

test('OpenAI and Azure get max_completion_tokens', async () => {
  const sent: string[] = []
  const taken = {
    ...egress,
    async send(request: Parameters<typeof egress.send>[0]) {
      sent.push(`${request.url} ${String(request.body)}`)
      return egress.send({ ...request, url: `${url}/chat/completions` })
    },
  }
  for (const host of ['api.openai.com/v1', 'eu.api.openai.com/v1', 'lantern.openai.azure.com/openai/v1'])
    await ask(openaiModel({ ...place, url: `https://${host}` }, taken))
  await ask(openaiModel({ ...place, url: 'https://openai.com.example/v1' }, taken))
  expect(sent.map((one) => one.includes('"max_completion_tokens":700'))).toEqual([true, true, true, false])
  expect(sent.map((one) => one.includes('"max_tokens":700'))).toEqual([false, false, false, true])
})

test('a model gets thinking tokens unless its reasoning is "none"', async () => {
  expect(modelAt().thinkingTokens).toBe(4_000)
  expect(modelAt({ reasoning: 'low' }).thinkingTokens).toBe(4_000)
  expect(modelAt({ reasoning: 'none' }).thinkingTokens).toBe(0)
  await ask(modelAt({ reasoning: 'low' }))
  expect(asked).toMatchObject({ reasoning_effort: 'low' })
})

test('a cut-off response is its own fault, with its token usage', async () => {
  for (const content of [null, '', '{"action":"rep']) {
    response = completion(content, { usage }, 'length')
    expect(await ask()).toEqual({
      kind: 'fault',
      fault: 'cut_off',
      message: 'more than 700 tokens',
      usage: { promptTokens: 30, completionTokens: 5 },
    })
  }
})

test('a response that the model declines is its own fault, without the model’s words', async () => {
  const declined = {
    kind: 'fault',
    fault: 'declined',
    message: 'the model declined',
    usage: { promptTokens: 30, completionTokens: 5 },
  }
  const message = { role: 'assistant', content: null, refusal: 'I cannot help Ada with that.' }
  response = { id: '1', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
  expect(await ask()).toEqual(declined)
  response = completion(null, { usage }, 'content_filter')
  expect(await ask()).toEqual(declined)
})

test.each([
  ['is missing', {}],
  ['is null', { usage: null }],
  ['lacks a count', { usage: { prompt_tokens: 30 } }],
  ['cannot be', { usage: { prompt_tokens: -1, completion_tokens: 1e30 } }],
])('usage that %s is treated as unknown', async (_, more) => {
  response = completion('{}', more)
  expect(await ask()).toEqual({ kind: 'said', text: '{}', usage: undefined })
})

test('a fault has the server’s status and error code but not its message', async () => {
  status = 400
  response = { error: { message: 'Ada said: …', code: 'invalid_json_schema' } }
  expect(await ask()).toEqual({
    kind: 'fault',
    fault: 'rejected',
    message: 'status 400, invalid_json_schema',
  })
  response = { error: { message: 'Ada said: …', code: 'Ada said' } }
  expect(await ask()).toMatchObject({ fault: 'rejected', message: 'status 400' })
})
