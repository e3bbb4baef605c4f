import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client, Response } from '../support/client.ts'
import { fingerprint, fingerprintBefore } from '../support/database.ts'
import { share } from './forms.ts'
import { bodyWith, kindsOf, makeReferent, membersOf, pathToNew } from './requests.ts'
import { distinguishable, isReference } from './tenants.ts'

let app: TestApp
let mine: TestWorkspace
let other: TestWorkspace
let agent: Client

beforeAll(async () => {
  app = await testApp()
  ;[mine, other] = [await app.workspace(), await app.workspace()]
  agent = await mine.credential()
})

afterAll(() => app[Symbol.asyncDispose]())

const references = endpoints.flatMap(kindsOf).flatMap((endpoint) =>
  membersOf(endpoint)
    .filter(isReference)
    .map(([name, schema]) => ({ endpoint, name, schema, route: `${endpoint.method} ${endpoint.path}` })),
)

/** Texts that are no ids. Each reference is tried with one of them. */
const noIds = ['no-one', 'no-two', '😀'.repeat(40), "'; drop table contacts; --"]

test.each(references)(
  '$route returns 404 for a $name that is unknown or of another workspace, and writes nothing',
  async (reference) => {
    const { endpoint, name, schema } = reference
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const isList = schema.items !== undefined
    const valueOf = (id: string) => (isList ? [id] : id)
    const foreign = await makeReferent(name, schema.items ?? schema, other)
    const before = await fingerprintBefore(app.databaseUrl)
    const responses: Response[] = []
    const sent = [foreign, newId(app.clock.now()), ...share(noIds, references.indexOf(reference))]
    for (const id of sent)
      responses.push(
        await agent.request(endpoint.method, path, { body: bodyWith(endpoint, name, valueOf(id)) }),
      )
    if (endpoint.method === 'POST') {
      const body = bodyWith(endpoint, name, valueOf(foreign))
      responses.push(await agent.post(path, body, { 'idempotency-key': 'key' }))
    }
    for (const response of responses) {
      expect(response).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found', details: [{ path: isList ? `${name}.0` : name }] } },
      })
      expect(distinguishable(response)).toEqual(distinguishable(responses[0] ?? response))
    }
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
    const own = valueOf(await makeReferent(name, schema.items ?? schema, mine))
    const accepted = await agent.request(endpoint.method, path, {
      body: bodyWith(endpoint, name, own),
    })
    // If the response is the record, it shows the reference. For a sender, it shows the number instead.
    if (name in accepted.body && name !== 'from') expect(accepted.body[name]).toEqual(own)
    expect(accepted.status).not.toBe(404)
  },
)
