import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { freeTexts, rejectedTexts } from './hostile-queries.ts'
import type { Schema } from './hostile-values.ts'
import { acceptedValues, namelessValues } from './named-values.ts'
import { expectRejected, pathsOf, short } from './rejections.ts'
import { bodyFor, inGroups, makeRecords, parametersOf, pathWithin } from './requests.ts'

let app: TestApp
let agent: Client
let made: ReadonlyMap<string, string[]>

beforeAll(async () => {
  app = await testApp()
  agent = await app.credential()
  made = await makeRecords(agent)
})

afterAll(() => app[Symbol.asyncDispose]())

describe.each(endpoints)('$method $path', (endpoint) => {
  const ask = (query: string) =>
    agent.request(endpoint.method, `${pathWithin(endpoint, made)}?${query}`, { body: bodyFor(endpoint) })

  const parameters = parametersOf(endpoint)

  /** Sends the query and expects an issue with the parameter. */
  const askFor = (name: string) => async (query: string) => {
    const rejected = await ask(query)
    expect(pathsOf(rejected), short(query)).toContain(name)
    return rejected
  }

  // A cursor is always accepted: an unreadable one restarts the list.
  test.each(parameters.filter(([name]) => name !== 'cursor'))(
    'rejects invalid values of %s',
    async (name, schema) => {
      const texts = [
        ...rejectedTexts(schema),
        ...namelessValues(endpoint, name, schema.items ?? schema).map(String),
      ]
      const queries = texts.map((text) => `${name}=${encodeURIComponent(text)}`)
      await expectRejected(app, 400, queries, askFor(name))
    },
  )

  test.each(parameters)('rejects %s given twice', async (name) => {
    const hidden = name.replace(/^./, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    const queries = [`${name}=1&${name}=2`, `${name}=1&${name}=1`, `${name}&${name}`, `${name}=1&${hidden}=1`]
    await expectRejected(app, 400, queries, askFor(name))
  })

  test('rejects unknown parameters, and suggests a known one', async () => {
    const names =
      'stray Limit LIMIT page offset workspace_id token limit[] limit[gt] é 😀 %00 %ff constructor __proto__'
    const queries = names.split(' ').map((name) => `${name}=1`)
    queries.push('stray', '=1', '=', '&stray', `${'x'.repeat(5000)}=1`, `a=1${'&b=1'.repeat(1000)}`)
    await expectRejected(app, 400, queries, ask)
    app.clock.advance(60_000)
    for (const [name] of parameters.filter(([each]) => each.length > 3)) {
      const { body } = await ask(`${name}${name.at(-1)}=1`)
      expect(body['error'].details).toEqual([
        { path: name + name.at(-1), message: expect.stringContaining(`did you mean ${name}?`) },
      ])
    }
  })
})

const read = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap((endpoint) =>
    parametersOf(endpoint).map(([name, schema]) => ({ endpoint, name, schema, path: endpoint.path })),
  )

const isFree = ({ endpoint, name, schema }: (typeof read)[number]) =>
  schema.type === 'string' &&
  schema.enum === undefined &&
  schema.format === undefined &&
  namelessValues(endpoint, name, schema).length === 0

/** Of a parameter with several values, also all of them at once. */
function acceptedTexts(endpoint: Endpoint, name: string, { items, ...schema }: Schema): string[] {
  if (items === undefined) return acceptedValues(endpoint, name, schema).map(String)
  const each = acceptedValues(endpoint, name, items).map(String)
  return [...each, each.join(',')]
}

test.each(read)('GET $path accepts every valid $name', async (parameter) => {
  const { endpoint, name, schema } = parameter
  const values = isFree(parameter) ? freeTexts(schema) : acceptedTexts(endpoint, name, schema)
  await inGroups(app.clock, values, async (value) => {
    const query = `${name}=${encodeURIComponent(String(value))}`
    const { status } = await agent.get(`${pathWithin(endpoint, made)}?${query}`)
    expect([short(value), status]).toEqual([short(value), 200])
  })
})
