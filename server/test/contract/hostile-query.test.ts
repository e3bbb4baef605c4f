import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client, Response } from '../support/client.ts'
import { fingerprint } from '../support/database.ts'
import { type Schema, dirtyTexts } from './hostile-values.ts'
import { bodyFor, inGroups, makeRecords, parametersOf, pathWithin } from './requests.ts'

let app: TestApp
let agent: Client
let made: ReadonlyMap<string, string>

beforeAll(async () => {
  app = await testApp()
  agent = await app.credential()
  made = await makeRecords(agent)
})

afterAll(() => app[Symbol.asyncDispose]())

/** Texts that a search, a query or a page could trip over. */
const oddities = [
  "'", '"', '\\', '%', '_', '%%%', '\\\\', "'; drop table contacts; --", "' or '1'='1", '$1', '$$', '{}', '[]', '()', '*', '.*', 'null', 'undefined',
  '__proto__', '😀', 'İ', 'ß', 'ﷺ'.repeat(20), 'e\u0301'.repeat(10), '\u202e', '\ufeff', '\uffff', ' ', '\t', '\n', 'a b c d e f g h i j k l', '-1', '1e999', '<script>',
]

/** Values, in the form in which they stand in an address, that a parameter does not take. */
function refusedTexts(name: string, { type, enum: values, maxLength }: Schema): string[] {
  if (name === 'cursor') return []
  const encoded = (texts: unknown[]) => texts.map((text) => encodeURIComponent(String(text)))
  const dirty = encoded(dirtyTexts.filter((text) => text.isWellFormed()))
  if (values !== undefined) return [...dirty, ...encoded(['', ...oddities, ...values.map((one) => `${String(one)} `), ...values.map((one) => String(one).toLowerCase())])].filter((one) => !values.includes(one))
  if (type === 'integer') return [...dirty, ...encoded(['', ...oddities, '0', '-1', '1.5', '201', '1e1', '0x1', ' 1', '1 ', '١', '9'.repeat(400)])]
  return [...dirty, ...(maxLength === undefined ? [] : encoded(['x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1), 'x'.repeat(8000)]).filter((text) => text.length < 15_000))]
}

const pathsOf = ({ body }: Response): string[] => (body['error'].details ?? []).map(({ path }: { path: string }) => path)

describe.each(endpoints)('$method $path', (endpoint) => {
  const ask = (query: string) => agent.request(endpoint.method, `${pathWithin(endpoint, made)}?${query}`, { body: bodyFor(endpoint) })

  /** Sends queries that must all be refused, each naming the parameter; nothing may have been written. */
  async function expectRefused(name: string | undefined, queries: string[]): Promise<void> {
    const before = await fingerprint(app.databaseUrl)
    await inGroups(app.clock, queries, async (query) => {
      const answer = await ask(query)
      expect([query.slice(0, 80), answer.status]).toEqual([query.slice(0, 80), 400])
      if (name !== undefined) expect(pathsOf(answer), query.slice(0, 80)).toContain(name)
    })
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
  }

  const parameters = parametersOf(endpoint)

  test.each(parameters)('refuses what the parameter %s cannot be', async (name, schema) => {
    await expectRefused(name, refusedTexts(name, schema).map((text) => `${name}=${text}`))
  })

  test.each(parameters)('refuses the parameter %s given twice', async (name) => {
    await expectRefused(name, [`${name}=1&${name}=2`, `${name}=1&${name}=1`, `${name}&${name}`, `${name}=1&${encodeURIComponent(name).replace(/^./, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}=1`])
  })

  test('refuses parameters that it does not know, and names the one that was meant', async () => {
    const names = ['stray', 'Limit', 'LIMIT', 'page', 'offset', 'workspace_id', 'token', '__proto__', 'constructor', 'toString', 'limit[]', 'limit[gt]', 'é', '😀', '', '%00', '%ff', 'x'.repeat(5000)]
    await expectRefused(undefined, [...names.map((name) => `${name}=1`), 'stray', '=1', '=', '&stray', 'a=1'.concat('&b=1'.repeat(1000))])
    app.clock.advance(60_000)
    for (const [name] of parameters.filter(([each]) => each.length > 3)) {
      const { body } = await ask(`${name}${name.at(-1)}=1`)
      expect(body['error'].details).toEqual([{ path: name + name.at(-1), message: expect.stringContaining(`did you mean ${name}?`) }])
    }
  })
})

const textual = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap((endpoint) => parametersOf(endpoint).filter(([, schema]) => schema.type === 'string' && schema.enum === undefined).map(([name, schema]) => ({ endpoint, name, schema, path: endpoint.path })))

test.each(textual)('GET $path takes any clean text for $name, up to its limit', async ({ endpoint, name, schema: { maxLength = 1000 } }) => {
  const texts = ['', ...oddities, 'x'.repeat(maxLength), '😀'.repeat(maxLength), "'".repeat(maxLength), 'a '.repeat(maxLength / 2)]
  await inGroups(app.clock, texts, async (text) => {
    const fitting = encodeURIComponent([...text].slice(0, maxLength).join(''))
    const { status } = await agent.get(`${pathWithin(endpoint, made)}?${name}=${fitting}`)
    expect([text.slice(0, 40), status]).toEqual([text.slice(0, 40), 200])
  })
})
