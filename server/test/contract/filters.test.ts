import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { variantsOf } from '#kernel/schemas.ts'
import { fixtures } from '#test/support/all-fixtures.ts'
import { idOf } from '#test/support/fixtures.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Schema } from './hostile-values.ts'
import { bodyWith, makeRecords, makeReferent, membersOf, parametersOf } from './requests.ts'
import { isReference } from './tenants.ts'

let app: TestApp
let workspace: TestWorkspace

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
})
afterAll(() => app[Symbol.asyncDispose]())

/**
 * The number in a call's example belongs to one contact; the text of a campaign depends on its channel; a contact's
 * number and address are found however they are written.
 */
const testedElsewhere = new Set([
  '/calls contact_id',
  '/campaigns channel',
  '/contacts phone',
  '/contacts email',
])

/** Filters by a field that can be set on a new record. */
const filtered = endpoints
  .filter(({ list, path }) => list !== undefined && !path.includes('{'))
  .flatMap((endpoint) => {
    const post = endpoints.find(
      // A body of several kinds names its fields differently.
      ({ method, path, body }) =>
        method === 'POST' && path === endpoint.path && (body === undefined || variantsOf(body) === undefined),
    )
    const names = new Set(post === undefined ? [] : membersOf(post).map(([name]) => name))
    return parametersOf(endpoint)
      .filter(([name]) => names.has(name) && !testedElsewhere.has(`${endpoint.path} ${name}`))
      .map(([name, schema]) => ({ post: post as Endpoint, path: endpoint.path, name, schema }))
  })

/** Two values that the filter distinguishes. */
async function twoValues(route: string, name: string, schema: Schema): Promise<[unknown, unknown]> {
  const [one, other] = fixtures.values[`${route} ${name}`] ?? []
  if (other !== undefined) return [one, other]
  const { enum: values } = schema.items ?? schema
  if (values !== undefined) return [values[0], values[1]]
  if (isReference([name, schema]))
    return [await makeReferent(name, schema, workspace), await makeReferent(name, schema, workspace)]
  return ['Alpha', 'Beta']
}

test.each(filtered)(
  'GET $path?$name=… returns only records with that value',
  async ({ post, path, name, schema }) => {
    app.clock.advance(60_000)
    const agent = await workspace.credential()
    await makeRecords(agent, [post])
    const [one, other] = await twoValues(`POST ${path}`, name, schema)
    const create = async (value: unknown) => idOf(await agent.post(path, bodyWith(post, name, value)))
    const [mine, foreign] = [await create(one), await create(other)]
    const shown = async (value: unknown) => {
      const { body } = await agent.get(`${path}?limit=200&${name}=${encodeURIComponent(String(value))}`)
      return (body['data'] as { id: string }[]).map(({ id }) => id)
    }
    expect(await shown(one)).toContain(mine)
    expect(await shown(one)).not.toContain(foreign)
    expect(await shown(other)).toContain(foreign)
    expect(await shown(other)).not.toContain(mine)
    if (schema.items !== undefined)
      expect(await shown(`${one},${other}`)).toEqual(expect.arrayContaining([mine, foreign]))
  },
)
