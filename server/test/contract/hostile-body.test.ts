import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxBodyBytes } from '#kernel/http/body.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client, RequestOptions, Response } from '../support/client.ts'
import { fingerprint } from '../support/database.ts'
import { dirtyTexts, nested, refusedValues, widestValues } from './hostile-values.ts'
import { bodyFor, inGroups, makeRecords, membersOf, pathToNew, pathWithin } from './requests.ts'

let app: TestApp
let agent: Client
let made: ReadonlyMap<string, string>

beforeAll(async () => {
  app = await testApp()
  agent = await app.credential()
  made = await makeRecords(agent)
})

afterAll(() => app[Symbol.asyncDispose]())

const withBody = endpoints.filter(({ body }) => body !== undefined)
const withoutBody = endpoints.filter(({ body }) => body === undefined)

/** Something that is no JSON text of its own, put where the example has a member. */
const withRaw = (body: object, name: string, text: string) => JSON.stringify({ ...body, [name]: '\u{f0000}' }).replace('"\u{f0000}"', text)

const pathsOf = ({ body }: Response): string[] => (body['error'].details ?? []).map(({ path }: { path: string }) => path)

/** Sends what must all be refused with one status, and sees that nothing was written. */
async function expectRefused<T>(status: number, bodies: readonly T[], send: (body: T) => Promise<Response>): Promise<void> {
  const before = await fingerprint(app.databaseUrl)
  const statuses = await inGroups(app.clock, bodies, async (body) => [short(body), (await send(body)).status])
  expect(statuses.filter(([, each]) => each !== status)).toEqual([])
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
}

const short = (body: unknown) => (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, 80)

describe.each(withBody)('$method $path', (endpoint) => {
  const body = bodyFor(endpoint) ?? {}
  const send = (options: RequestOptions) => agent.request(endpoint.method, pathWithin(endpoint, made), options)
  const sendRaw = (raw: string | Uint8Array, headers: Record<string, string> = {}) => send({ raw, headers })

  test.each(membersOf(endpoint))('refuses what %s cannot be, and says so', async (name, schema) => {
    await expectRefused(400, refusedValues(schema), async (value) => {
      const answer = await send({ body: { ...body, [name]: value } })
      expect(pathsOf(answer).map((path) => path.split('.', 1)[0]), short(value)).toContain(name)
      return answer
    })
  })

  test.each(membersOf(endpoint))('takes whatever %s can be, up to its limits', async (name, schema) => {
    const values = name.endsWith('_id') ? [] : widestValues(schema)
    await inGroups(app.clock, values, async (value) => {
      const path = await pathToNew(endpoint, agent)
      const { status } = await agent.request(endpoint.method, path, { body: { ...body, [name]: value } })
      expect(Object.keys(endpoint.answers), short(value)).toContain(String(status))
    })
  })

  test.each(membersOf(endpoint))('refuses numbers and depths in %s that a reader could choke on', async (name) => {
    const texts = ['1e999', '-1e999', '9'.repeat(1000), `0.${'1'.repeat(1000)}`, '-0', nested(2), nested(31), nested(32), nested(10_000), '{"a":'.repeat(5000) + '1' + '}'.repeat(5000)]
    await expectRefused(400, texts, (text) => sendRaw(withRaw(body, name, text)))
  })

  test('refuses members that it does not know, and names the one that was meant', async () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'id', 'workspace_id', 'created_at', '', ' ', 'é', '😀', '0', 'x'.repeat(1000), ...dirtyTexts]
    await expectRefused(400, names, (name) => sendRaw(`{${JSON.stringify(name)}:{"stray":true},${JSON.stringify(body).slice(1)}`))
    app.clock.advance(60_000)
    for (const [name] of membersOf(endpoint)) {
      const { body: refused } = await send({ body: { ...body, [name + name.at(-1)]: 'x' } })
      expect(refused['error'].details).toEqual([{ path: name + name.at(-1), message: expect.stringContaining(`did you mean ${name}?`) }])
    }
  })

  test('refuses more than 32 levels', async () => {
    for (const [levels, complaint] of [[31, 'is not a known field'], [32, 'levels deep'], [33, 'levels deep'], [10_000, 'levels deep']] as const) {
      const refused = await sendRaw(withRaw(body, 'stray', nested(levels)))
      expect([levels, refused.status, refused.body['error'].details[0].message]).toEqual([levels, 400, expect.stringContaining(complaint)])
    }
    await expectRefused(400, [31, 32, 33, 10_000, 130_000], (levels) => sendRaw(nested(levels)))
  })

  test('refuses a body that is no object', async () => {
    const bodies = ['null', 'true', '0', '-1.5e3', '"text"', '[]', `[${JSON.stringify(body)}]`, '[[]]', '""']
    await expectRefused(400, bodies, (text) => sendRaw(text))
  })

  test('refuses what is not JSON in UTF-8', async () => {
    const text = JSON.stringify(body)
    const texts = [
      text.slice(0, -1), text.slice(1), `${text}${text}`, `${text},`, `${text}\0`, "{'a':1}", '{a:1}', '{"a":1,}', '{"a":NaN}', '{"a":Infinity}',
      '{"a":01}', '{"a":"\n"}', '{"a":"\\x41"}', '{"a":"\\ud8"}', '//\n{}', 'undefined', '<a/>', 'a=1', ' ', '\n', '\ufeff', '\ufeff\ufeff{}',
    ]
    const bytes = [
      Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from('{"a":"\xe9"}', 'latin1'), Buffer.from('{"a":"\xc0\x80"}', 'latin1'),
      Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'), Buffer.from('{"a":"\xf0\x9f\x98"}', 'latin1'), Buffer.from('{"a":"\xf5\x80\x80\x80"}', 'latin1'),
      Buffer.from(text, 'utf16le'), Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.alloc(1000),
    ]
    await expectRefused(400, [...texts, ...bytes], (raw) => sendRaw(raw))
  })

  test('refuses other types of content: 415', async () => {
    const types = ['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', 'application/jsonp', 'json', '*/*', 'application/json/x', 'x'.repeat(1000)]
    await expectRefused(415, types, (type) => sendRaw(JSON.stringify(body), { 'content-type': type }))
    expect((await sendRaw(Buffer.from(JSON.stringify(body)), { 'content-type': '' })).status).toBe(415)
  })

  test('takes JSON however its type is written, with a byte order mark, and with space around it', async () => {
    app.clock.advance(60_000)
    for (const type of ['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset=UTF-8']) {
      for (const text of [JSON.stringify(body), `\ufeff${JSON.stringify(body)}`, `\r\n\t ${JSON.stringify(body, null, 2)}\n`]) {
        const { status } = await agent.request(endpoint.method, await pathToNew(endpoint, agent), { raw: text, headers: { 'content-type': type } })
        expect(Object.keys(endpoint.answers), type).toContain(String(status))
      }
    }
  })

  test('takes 256 kB and not a byte more: 413', async () => {
    const text = JSON.stringify(body)
    expect(maxBodyBytes).toBe(256 * 1024)
    expect(Object.keys(endpoint.answers)).toContain(String((await sendRaw(text.padEnd(maxBodyBytes))).status))
    await expectRefused(413, [maxBodyBytes + 1, maxBodyBytes * 4], (length) => sendRaw(text.padEnd(length)))
  })

  test('answers a body of nothing but faults briefly, and names some', async () => {
    const strays = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`stray${i}`, 1])))
    const longName = JSON.stringify({ ['x'.repeat(250_000)]: 1 })
    const manyItems = membersOf(endpoint).map(([name]) => JSON.stringify({ ...body, [name]: Array.from({ length: 100_000 }, () => 0) }))
    await expectRefused(400, [strays(7), strays(8), strays(9), strays(15_000), longName, ...manyItems], async (raw) => {
      const refused = await sendRaw(raw)
      expect(refused.body['error'].details, short(raw)).not.toEqual([])
      expect(JSON.stringify(refused.body).length, short(raw)).toBeLessThan(10_000)
      return refused
    })
  })
})

test.each(withoutBody.filter(({ method }) => method !== 'GET'))('$method $path takes no body and passes over any', async (endpoint) => {
  app.clock.advance(60_000)
  const sent: RequestOptions[] = [
    { raw: '{"stray":1}' }, { raw: 'null' }, { raw: '{' }, { raw: 'text', headers: { 'content-type': 'text/plain' } }, { raw: ' '.repeat(maxBodyBytes + 1) },
  ]
  for (const options of sent) {
    const answer = await agent.request(endpoint.method, await pathToNew(endpoint, agent), options)
    expect([...Object.keys(endpoint.answers), '400', '413', '415'], JSON.stringify(options).slice(0, 80)).toContain(String(answer.status))
  }
})
