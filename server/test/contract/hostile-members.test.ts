import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { issuesOfExample } from '#kernel/records/record.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client, RequestOptions } from '../support/client.ts'
import { type Schema, dirtyTexts, nested, rejectedValues, withRaw } from './hostile-values.ts'
import { acceptedValues, keyOf, namelessValues } from './named-values.ts'
import { expectRejected, pathsOf, short } from './rejections.ts'
import {
  bodyFor,
  bodyWith,
  inGroups,
  kindsOf,
  makeRecords,
  membersOf,
  needsReset,
  pathToNew,
  pathWithin,
} from './requests.ts'
import { isReference } from './tenants.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

/** Members whose valid values a table of values cannot contain, with the reason. */
const testedElsewhere: Record<string, string> = {
  'POST /messages sms media_urls': 'Gable fetches the files.',
  'POST /messages whatsapp media_urls': 'Gable fetches the files.',
  'POST /messages/preflight sms media_urls': 'Gable fetches the files.',
  'POST /messages/preflight whatsapp media_urls': 'Gable fetches the files.',
  'POST /messages whatsapp body': 'Takes the place of the template of the example.',
  'POST /messages/preflight whatsapp body': 'Takes the place of the template of the example.',
  'POST /test-clock now': 'Takes the place of the duration of the example: see test-mode.test.ts.',
  'PATCH /pipelines/{id} stages': 'Requires the current version: see pipelines.test.ts.',
  'PATCH /pipelines/{id} version': 'Only the current version is valid: see pipelines.test.ts.',
  'PUT /routing-rules version': 'Only the current version is valid: see routing-rules.test.ts.',
  'POST /routing-rules/validate version': 'Only the current version is valid: see routing-rules.test.ts.',
}

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

/**
 * Whether the value counts as left out: an optional member that is blank. In a PATCH, it must be one that may be null.
 */
function countsAsLeftOut({ method, body }: Endpoint, name: string, value: unknown): boolean {
  const { properties = {}, required = [] } = body as unknown as Schema
  const { type, anyOf = [] } = properties[name] ?? {}
  const mayBeNull = [type].flat().includes('null') || anyOf.some((one) => one.type === 'null')
  return isBlank(value) && !required.includes(name) && (method !== 'PATCH' || mayBeNull)
}

const withBody = endpoints.filter(({ body }) => body !== undefined).flatMap(kindsOf)

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

  test.each(membersOf(endpoint))(
    'rejects invalid values of %s and names the member',
    async (name, schema) => {
      const values = [...rejectedValues(schema), ...namelessValues(endpoint, name, schema)].filter(
        (value) => !countsAsLeftOut(endpoint, name, value),
      )
      await expectRejected(app, 400, values, async (value) => {
        const response = await send({ body: { ...body, [name]: value } })
        expect(
          pathsOf(response).map((path) => path.split('.', 1)[0]),
          short(value),
        ).toContain(name)
        return response
      })
    },
  )

  // references.test.ts tests the others.
  const withTable = membersOf(endpoint).filter(
    (member) => !isReference(member) && !(keyOf(endpoint, member[0]) in testedElsewhere),
  )
  test.each(withTable)('accepts valid values of %s, up to its limits', async (name, schema) => {
    const accept = async (value: unknown) => {
      const path = await pathToNew(endpoint, agent)
      const changed = bodyWith(endpoint, name, value)
      const response = await agent.request(endpoint.method, path, { body: changed })
      const issues = endpoint.body === undefined ? [] : issuesOfExample(endpoint.body, changed)
      if (issues.length === 0)
        expect(Object.keys(endpoint.responses), short(value)).toContain(String(response.status))
      else
        expect([response.status, pathsOf(response)], short(value)).toEqual([
          400,
          issues.map(({ path: at }) => at),
        ])
    }
    const values = acceptedValues(endpoint, name, schema)
    // Each group advances the clock by a minute, and texts are sent only by day.
    const hour = app.clock.now().getUTCHours()
    if (hour >= 22 || hour < 15) app.clock.advance(((39 - hour) % 24) * 3_600_000)
    await inGroups(app.clock, values, accept, needsReset(endpoint) ? 1 : undefined)
  })

  test.each(membersOf(endpoint))('rejects extreme numbers and deep nesting in %s', async (name, { type }) => {
    const numbers = ['1e999', '-1e999', '9'.repeat(1000)]
    // hostile-body.test.ts tests deeper ones.
    const depths = type === 'object' ? [nested(32)] : [nested(2), nested(31), nested(32)]
    const texts = [...numbers, ...depths]
    await expectRejected(app, 400, texts, (text) => sendRaw(withRaw(body, name, text)))
  })

  test('rejects unknown members, and suggests a known one', async () => {
    const plain =
      '__proto__ constructor prototype toString hasOwnProperty id workspace_id created_at 0 é 😀'.split(' ')
    const names = [...plain, '', ' ', 'x'.repeat(1000), ...dirtyTexts]
    await expectRejected(app, 400, names, (name) =>
      sendRaw(`{${JSON.stringify(name)}:{"stray":true},${JSON.stringify(body).slice(1)}`),
    )
    app.clock.advance(60_000)
    for (const [name] of membersOf(endpoint).filter(([each]) => each.length > 3)) {
      const { body: rejected } = await send({ body: { ...body, [name + name.at(-1)]: 'x' } })
      expect(rejected['error'].details).toEqual([
        { path: name + name.at(-1), message: expect.stringContaining(`did you mean ${name}?`) },
      ])
    }
  })
})

test('each member that is tested elsewhere exists', () => {
  const keys = withBody.flatMap((endpoint) => membersOf(endpoint).map(([name]) => keyOf(endpoint, name)))
  expect(keys).toEqual(expect.arrayContaining(Object.keys(testedElsewhere)))
})
