import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Response } from '../support/client.ts'
import { fingerprint, fingerprintBefore } from '../support/database.ts'
import { bodyWith, kindsOf, makeReferent, membersOf, pathToNew } from './requests.ts'
import { type Tenant, isReference, newTenant, distinguishable } from './tenants.ts'

let app: TestApp
let mine: Tenant
let other: Tenant

beforeAll(async () => {
  app = await testApp()
  ;[mine, other] = [await newTenant(app), await newTenant(app)]
})

afterAll(() => app[Symbol.asyncDispose]())

const references = endpoints.flatMap(kindsOf).flatMap((endpoint) =>
  membersOf(endpoint)
    .filter(isReference)
    .map(([name, schema]) => ({ endpoint, name, schema, route: `${endpoint.method} ${endpoint.path}` })),
)

test.each(references)(
  '$route returns 404 for a $name that is unknown or of another workspace, and writes nothing',
  async ({ endpoint, name, schema }) => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, mine.agent)
    const isList = schema.items !== undefined
    const valueOf = (id: string) => (isList ? [id] : id)
    const foreign = await makeReferent(name, schema.items ?? schema, other.workspace)
    const before = await fingerprintBefore(app.databaseUrl)
    const responses: Response[] = []
    for (const id of [
      foreign,
      newId(app.clock.now()),
      'no-one',
      '',
      '😀'.repeat(40),
      "'; drop table contacts; --",
    ]) {
      const body = bodyWith(endpoint, name, valueOf(id))
      responses.push(await mine.agent.request(endpoint.method, path, { body }))
      if (endpoint.method === 'POST')
        responses.push(await mine.agent.post(path, body, { 'idempotency-key': `key-${responses.length}` }))
    }
    for (const response of responses) {
      expect(response).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found', details: [{ path: isList ? `${name}.0` : name }] } },
      })
      expect(distinguishable(response)).toEqual(distinguishable(responses[0] ?? response))
    }
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
    const own = valueOf(await makeReferent(name, schema.items ?? schema, mine.workspace))
    const accepted = await mine.agent.request(endpoint.method, path, {
      body: bodyWith(endpoint, name, own),
    })
    // If the response is the record, it shows the reference. For a sender, it shows the number instead.
    if (name in accepted.body && name !== 'from') expect(accepted.body[name]).toEqual(own)
    expect(accepted.status).not.toBe(404)
  },
)
