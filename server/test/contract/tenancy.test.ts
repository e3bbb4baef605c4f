import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { newId } from '#kernel/ids.ts'
import { apiBase, endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Response } from '../support/client.ts'
import { assertAnnounced } from '../support/contract.ts'
import { fingerprint, fingerprintBefore } from '../support/database.ts'
import { exampleContact, exampleMember } from '../support/fixtures.ts'
import { idsIn, ofEachForm, share } from './forms.ts'
import { invalidSegments, malformedIds } from './hostile-addresses.ts'
import { sendVerbatim } from './raw-http.ts'
import {
  ask,
  bodyFor,
  idsWithin,
  inGroups,
  makeReferent,
  parametersOf,
  pathTo,
  pathWithin,
  takesId,
} from './requests.ts'
import { type Tenant, isReference, newTenant, distinguishable } from './tenants.ts'

let app: TestApp
let mine: Tenant
let others: Tenant

beforeAll(async () => {
  app = await testApp()
  ;[mine, others] = [await newTenant(app), await newTenant(app)]
})

afterAll(() => app[Symbol.asyncDispose]())

const named: readonly Endpoint[] = endpoints.filter(takesId)
const lists = endpoints.filter(({ list }) => list)

/** Paths with `id` in each of the endpoint's places; the other ids are those of one of my records. */
const inEachPlace = (endpoint: Endpoint, id: string) => {
  const ids = idsWithin(endpoint, mine.made)
  return ids.map((_, place) => ({ id, path: pathTo(endpoint, ids.with(place, id)) }))
}

/** Ids of my other records: those of the kinds in the endpoint's path, and a share of all others. */
function unrelatedTo(endpoint: Endpoint): string[] {
  const own = idsWithin(endpoint, mine.made)
  const besides = [...mine.made].filter(([, ids]) => ids !== own)
  const { near = [], far = [] } = Object.groupBy(besides, ([prefix]) =>
    endpoint.path.startsWith(prefix) ? 'near' : 'far',
  )
  return [...near, ...share(far, named.indexOf(endpoint))].flatMap(([, ids]) => ids)
}

/**
 * Paths with an id that does not exist or belongs to another workspace, and paths with ids of mine that do not belong
 * together.
 */
const strangePaths = (endpoint: Endpoint): string[] => {
  const nothing = newId(app.clock.now())
  const own = idsWithin(endpoint, mine.made)
  const unrelated = own.length > 1 ? unrelatedTo(endpoint) : []
  const ids = [nothing, ...idsWithin(endpoint, others.made), ...unrelated]
  return [
    pathTo(endpoint, nothing),
    ...ids.flatMap((id) => inEachPlace(endpoint, id)).map(({ path }) => path),
  ]
}

describe.each(named)('$method $path', (endpoint) => {
  test('returns the same 404 for an ID of another workspace as for an unknown one and changes nothing', async () => {
    app.clock.advance(60_000)
    const before = await fingerprintBefore(app.databaseUrl)
    const foreign = await ask(mine.agent, endpoint, pathWithin(endpoint, others.made))
    expect(foreign).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    for (const path of strangePaths(endpoint)) {
      expect(distinguishable(await ask(mine.agent, endpoint, path))).toEqual(distinguishable(foreign))
    }
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
  })
})

/**
 * The router decodes an ID, and the kernel rejects one that is invalid before it calls the handler. Both know only the
 * method, the body, and how many IDs there are.
 */
const ofEachPath = ofEachForm(named, ({ method, path, body }) => ({
  method,
  ids: idsIn(path),
  body: body !== undefined,
}))

describe.each(ofEachPath)('$method $path', (endpoint) => {
  test('returns 404 for an invalid ID, and 400 for an invalid URL', async () => {
    const before = await fingerprintBefore(app.databaseUrl)
    const announced = app.url + apiBase + pathTo(endpoint, 'c')
    const malformed = [...malformedIds, ...invalidSegments].flatMap((id) => inEachPlace(endpoint, id))
    const statuses = await inGroups(app.clock, malformed, async ({ id, path: within }) => {
      const path = apiBase + within
      const headers = await mine.agent.headers(
        endpoint.method,
        announced.slice(app.url.length + apiBase.length),
      )
      const response = await sendVerbatim(app.url, {
        method: endpoint.method,
        path,
        headers,
        body: bodyFor(endpoint),
      })
      assertAnnounced(
        endpoint.method,
        announced,
        response.status,
        response.headers,
        JSON.parse(response.text),
      )
      return [id, response.status]
    })
    expect(statuses).toEqual(malformed.map(({ id }) => [id, invalidSegments.includes(id) ? 400 : 404]))
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
  })
})

describe.each(lists)('GET $path', (endpoint) => {
  const rows = async ({ agent, made }: Tenant, query = '') => agent.get(pathWithin(endpoint, made) + query)
  const idsOf = ({ body }: Response) => body['data'].map((row: { id: string }) => row.id) as string[]

  test('shows each workspace only its own rows', async () => {
    app.clock.advance(60_000)
    const [here, there] = [idsOf(await rows(mine)), idsOf(await rows(others))]
    expect(Math.min(here.length, there.length)).toBeGreaterThan(1)
    expect(here.filter((id) => there.includes(id) && ![exampleMember, exampleContact].includes(id))).toEqual(
      [],
    )
  })

  test('restarts the list for a cursor from another workspace', async () => {
    const { next_cursor } = (await rows(others, '?limit=1')).body
    const restarted = await rows(mine, `?limit=1&cursor=${next_cursor}`)
    expect(restarted.headers.get('x-cursor-reset')).toBe('true')
    expect(idsOf(restarted)).toEqual(idsOf(await rows(mine, '?limit=1')))
  })

  test.each(parametersOf(endpoint).filter(isReference))(
    'finds nothing when filtered by a %s of another workspace',
    async (name, schema) => {
      const foreign = await makeReferent(name, schema, others.workspace)
      expect(idsOf(await rows(mine, `?${name}=${foreign}`))).toEqual([])
    },
  )
})
