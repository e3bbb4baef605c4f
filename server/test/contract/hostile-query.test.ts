import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { freeTexts, refusedTexts } from './hostile-queries.ts'
import { acceptedValues, namelessValues } from './named-values.ts'
import { expectRefused, pathsOf, short } from './refusals.ts'
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

  /** Asks and sees that the parameter is found fault with. */
  const askFor = (name: string) => async (query: string) => {
    const refused = await ask(query)
    expect(pathsOf(refused), short(query)).toContain(name)
    return refused
  }

  // A cursor is never a fault: the walk starts anew.
  test.each(parameters.filter(([name]) => name !== 'cursor'))(
    'refuses what %s cannot be',
    async (name, schema) => {
      const texts = [...refusedTexts(schema), ...namelessValues(endpoint, name, schema).map(String)]
      const queries = texts.map((text) => `${name}=${encodeURIComponent(text)}`)
      await expectRefused(app, 400, queries, askFor(name))
    },
  )

  test.each(parameters)('refuses %s given twice', async (name) => {
    const hidden = name.replace(/^./, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    const queries = [`${name}=1&${name}=2`, `${name}=1&${name}=1`, `${name}&${name}`, `${name}=1&${hidden}=1`]
    await expectRefused(app, 400, queries, askFor(name))
  })

  test('refuses parameters that it does not know, and names the one that was meant', async () => {
    const names =
      'stray Limit LIMIT page offset workspace_id token limit[] limit[gt] é 😀 %00 %ff constructor __proto__'
    const queries = names.split(' ').map((name) => `${name}=1`)
    queries.push('stray', '=1', '=', '&stray', `${'x'.repeat(5000)}=1`, `a=1${'&b=1'.repeat(1000)}`)
    await expectRefused(app, 400, queries, ask)
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

test.each(read)('GET $path takes whatever $name can be', async (parameter) => {
  const { endpoint, name, schema } = parameter
  const values = isFree(parameter) ? freeTexts(schema) : acceptedValues(endpoint, name, schema)
  await inGroups(app.clock, values, async (value) => {
    const query = `${name}=${encodeURIComponent(String(value))}`
    const { status } = await agent.get(`${pathWithin(endpoint, made)}?${query}`)
    expect([short(value), status]).toEqual([short(value), 200])
  })
})
