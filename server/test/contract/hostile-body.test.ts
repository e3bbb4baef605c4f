import type { TObject } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxBatchBytes } from '#kernel/http/batch.ts'
import { maxBodyBytes } from '#kernel/http/body.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client, RequestOptions } from '../support/client.ts'
import { notJson, notUtf8 } from './hostile-bodies.ts'
import { nested, withRaw } from './hostile-values.ts'
import { expectRejected, pathsOf, short } from './rejections.ts'
import { bodyFor, kindsOf, makeRecords, membersOf, pathToNew, pathWithin } from './requests.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const withBody = endpoints.filter(({ body }) => body !== undefined).flatMap(kindsOf)
const withoutBody = endpoints.filter(({ body }) => body === undefined)

describe.each(withBody)('$method $path', (endpoint) => {
  let agent: Client
  let made: ReadonlyMap<string, string[]>

  beforeAll(async () => {
    agent = await app.credential()
    made = await makeRecords(agent, [endpoint])
  })

  const body = bodyFor(endpoint) ?? {}
  const send = (options: RequestOptions) =>
    agent.request(endpoint.method, pathWithin(endpoint, made), options)
  const sendRaw = (raw: string | Uint8Array, headers: Record<string, string> = {}) => send({ raw, headers })

  const shown = Object.values(endpoint.responses).flatMap((schema) =>
    Object.keys((schema as TObject).properties ?? {}),
  )
  const taken = new Set(membersOf(endpoint).map(([name]) => name))
  test.each(endpoint.fields === true ? shown.filter((name) => !taken.has(name)) : [])(
    'rejects the read-only member %s',
    async (name) => {
      const { status, body: rejected } = await send({ body: { ...body, [name]: null } })
      expect([status, rejected['error'].details]).toEqual([
        400,
        [{ path: name, message: 'cannot be set by this request' }],
      ])
    },
  )

  const most = endpoint.bodyLevels ?? 32
  test(`rejects JSON of more than ${most} levels`, async () => {
    for (const [levels, complaint] of [
      [most - 1, 'is not a known field'],
      [most, 'levels deep'],
      [most + 1, 'levels deep'],
      [10_000, 'levels deep'],
    ] as const) {
      const rejected = await sendRaw(withRaw(body, 'stray', nested(levels)))
      expect([levels, rejected.status, rejected.body['error'].details[0].message]).toEqual([
        levels,
        400,
        expect.stringContaining(complaint),
      ])
    }
    await expectRejected(app, 400, [most - 1, most, most + 1, 10_000, 130_000], (levels) =>
      sendRaw(nested(levels)),
    )
  })

  test('rejects a body that is not an object', async () => {
    const bodies = ['null', 'true', '0', '-1.5e3', '"text"', '[]', `[${JSON.stringify(body)}]`, '[[]]', '""']
    await expectRejected(app, 400, bodies, (text) => sendRaw(text))
  })

  test('rejects a body that is not JSON in UTF-8', async () => {
    const text = JSON.stringify(body)
    const broken = [text.slice(0, -1), text.slice(1), text + text, `${text},`, `${text}\0`, `//\n${text}`]
    const wide = [Buffer.from(text, 'utf16le'), Buffer.from(`\ufeff${text}`, 'utf16le')]
    await expectRejected(app, 400, [...broken, ...wide, ...notJson, ...notUtf8], async (raw) => {
      const rejected = await sendRaw(raw)
      expect(pathsOf(rejected), short(raw)).toEqual(['body'])
      return rejected
    })
  })

  test('rejects other content types with 415', async () => {
    const types = [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/jsonp',
      'json',
      '*/*',
      'application/json/x',
      'x'.repeat(1000),
    ]
    await expectRejected(app, 415, types, (type) => sendRaw(JSON.stringify(body), { 'content-type': type }))
    expect((await sendRaw(Buffer.from(JSON.stringify(body)), { 'content-type': '' })).status).toBe(415)
  })

  test('accepts JSON with any spelling of its content type, a byte order mark, and whitespace', async () => {
    app.clock.advance(60_000)
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
    ]) {
      for (const text of [
        JSON.stringify(body),
        `\ufeff${JSON.stringify(body)}`,
        `\r\n\t ${JSON.stringify(body, null, 2)}\n`,
      ]) {
        const { status } = await agent.request(endpoint.method, await pathToNew(endpoint, agent), {
          raw: text,
          headers: { 'content-type': type },
        })
        expect(Object.keys(endpoint.responses), type).toContain(String(status))
      }
    }
  })

  test('accepts a body of 256 kB, of a batch 2 MB, and rejects a larger one with 413', async () => {
    const text = JSON.stringify(body)
    expect([maxBodyBytes, maxBatchBytes]).toEqual([256 * 1024, 2 * 1024 * 1024])
    const limit = endpoint.batches === undefined ? maxBodyBytes : maxBatchBytes
    const path = await pathToNew(endpoint, agent)
    const { status } = await agent.request(endpoint.method, path, { raw: text.padEnd(limit) })
    expect(Object.keys(endpoint.responses)).toContain(String(status))
    await expectRejected(app, 413, [limit + 1, limit * 4], (length) => sendRaw(text.padEnd(length)))
  })

  test('keeps the error response short for a body with very many issues', async () => {
    const strays = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`stray${i}`, 1])))
    const longName = JSON.stringify({ ['x'.repeat(250_000)]: 1 })
    const manyItems = membersOf(endpoint).map(([name]) =>
      JSON.stringify({ ...body, [name]: Array.from({ length: 20_000 }, () => 0) }),
    )
    await expectRejected(
      app,
      400,
      [strays(7), strays(8), strays(9), strays(15_000), longName, ...manyItems],
      async (raw) => {
        const rejected = await sendRaw(raw)
        expect(rejected.body['error'].details, short(raw)).not.toEqual([])
        expect(JSON.stringify(rejected.body).length, short(raw)).toBeLessThan(10_000)
        return rejected
      },
    )
  })
})

test.each(withoutBody.filter(({ method }) => method !== 'GET'))(
  '$method $path returns success, 400, 413, or 415 for any body',
  async (endpoint) => {
    const agent = await app.credential()
    const sent: RequestOptions[] = [
      { raw: '{"stray":1}' },
      { raw: 'null' },
      { raw: '{' },
      { raw: 'text', headers: { 'content-type': 'text/plain' } },
      { raw: ' '.repeat(maxBodyBytes + 1) },
    ]
    for (const options of sent) {
      const response = await agent.request(endpoint.method, await pathToNew(endpoint, agent), options)
      expect(
        [...Object.keys(endpoint.responses), '400', '413', '415'],
        JSON.stringify(options).slice(0, 80),
      ).toContain(String(response.status))
    }
  },
)
