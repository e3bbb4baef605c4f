import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client, Response } from '../support/client.ts'
import { fingerprint, fingerprintBefore } from '../support/database.ts'
import { idOf } from '../support/fixtures.ts'
import { share } from './forms.ts'
import { namedIn, withNamed } from './places.ts'
import { kindsOf, makeReferent, pathToNew } from './requests.ts'
import { distinguishable } from './tenants.ts'

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
  namedIn(endpoint).map((place) => ({
    endpoint,
    place,
    name: place.path.join('.'),
    route: `${endpoint.method} ${endpoint.path}`,
  })),
)

/** Texts that are no ids. Each reference is tried with one of them. */
const noIds = ['no-one', 'no-two', '😀'.repeat(40), "'; drop table contacts; --"]

test.each(references)(
  '$route returns 404 for a $name that is unknown, of another workspace or of another kind, and writes nothing',
  async (reference) => {
    const { endpoint, place, name } = reference
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const referent = (workspace: TestWorkspace) =>
      makeReferent(place.path.at(-1) ?? '', place.schema, workspace)
    const [foreign, own] = [await referent(other), await referent(mine)]
    const isOfTeams = ['payee', 'team'].includes(place.schema['x-references'] ?? '')
    const ofAnotherKind = idOf(
      await (isOfTeams ? agent.post('/contacts') : agent.post('/teams', { name: 'A team' })),
    )
    const before = await fingerprintBefore(app.databaseUrl)
    const responses: Response[] = []
    const sent = [
      foreign,
      newId(app.clock.now()),
      ofAnotherKind,
      ...share(noIds, references.indexOf(reference)),
    ]
    for (const id of sent)
      responses.push(await agent.request(endpoint.method, path, { body: withNamed(endpoint, place, id) }))
    const isBatch = responses[0]?.status === 200
    if (endpoint.method === 'POST' && !isBatch)
      responses.push(
        await agent.post(path, withNamed(endpoint, place, foreign), { 'idempotency-key': 'key' }),
      )
    for (const { status, headers, body } of responses) {
      // A batch has an error for each row.
      const [row] = body['results'] ?? []
      const { code, details } = row?.error ?? body['error'] ?? {}
      expect([status, code, details?.[0]?.path]).toEqual(
        row === undefined ? [404, 'not_found', name] : [200, 'not_found', place.path.at(-1)],
      )
      const [first] = responses
      if (row === undefined && first !== undefined)
        expect(distinguishable({ status, headers, body })).toEqual(distinguishable(first))
    }
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
    const accepted = await agent.request(endpoint.method, path, { body: withNamed(endpoint, place, own) })
    // If the response is the record, it shows the reference. For a sender, it shows the number instead.
    if (name in accepted.body && name !== 'from') expect(accepted.body[name]).toEqual(own)
    expect(accepted.status).not.toBe(404)
  },
)
