import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { apiBase, endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Response } from '../support/client.ts'
import { assertAnnounced } from '../support/contract.ts'
import { fingerprint } from '../support/database.ts'
import { invalidSegments, malformedIds } from './hostile-addresses.ts'
import { sendVerbatim } from './raw-http.ts'
import {
  ask,
  bodyFor,
  inGroups,
  makeReferent,
  parametersOf,
  pathTo,
  pathWithin,
  takesId,
} from './requests.ts'
import { type Tenant, isReference, newTenant, told } from './tenants.ts'

let app: TestApp
let mine: Tenant
let theirs: Tenant

beforeAll(async () => {
  app = await testApp()
  ;[mine, theirs] = [await newTenant(app), await newTenant(app)]
})

afterAll(() => app[Symbol.asyncDispose]())

const named = endpoints.filter(takesId)
const lists = endpoints.filter(({ list }) => list)

describe.each(named)('$method $path', (endpoint) => {
  test('answers another workspace’s id as it answers one that nothing has: 404, and nothing changes', async () => {
    app.clock.advance(60_000)
    const before = await fingerprint(app.databaseUrl)
    const foreign = await ask(mine.agent, endpoint, pathWithin(endpoint, theirs.made))
    const unknown = await ask(mine.agent, endpoint, pathTo(endpoint, newId(app.clock.now())))
    expect(foreign).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    expect(told(foreign)).toEqual(told(unknown))
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
  })

  test('answers 404 to what can be no id, and 400 to what can be no address', async () => {
    const before = await fingerprint(app.databaseUrl)
    const statuses = await inGroups(app.clock, [...malformedIds, ...invalidSegments], async (id) => {
      const path = apiBase + pathTo(endpoint, id)
      const headers = { authorization: `token ${mine.agent.key}` }
      const answer = await sendVerbatim(app.url, {
        method: endpoint.method,
        path,
        headers,
        body: bodyFor(endpoint),
      })
      assertAnnounced(endpoint.method, app.url + path, answer.status, answer.headers, JSON.parse(answer.text))
      return [id, answer.status]
    })
    expect(statuses).toEqual([
      ...malformedIds.map((id) => [id, 404]),
      ...invalidSegments.map((id) => [id, 400]),
    ])
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
  })
})

describe.each(lists)('GET $path', (endpoint) => {
  const rows = async ({ agent, made }: Tenant, query = '') => agent.get(pathWithin(endpoint, made) + query)
  const idsOf = ({ body }: Response) => body['data'].map((row: { id: string }) => row.id) as string[]

  test('shows each workspace rows of its own and none of the other’s', async () => {
    app.clock.advance(60_000)
    const [here, there] = [idsOf(await rows(mine)), idsOf(await rows(theirs))]
    expect(Math.min(here.length, there.length)).toBeGreaterThan(1)
    expect(here.filter((id) => there.includes(id))).toEqual([])
  })

  test('starts anew on another workspace’s cursor', async () => {
    const { next_cursor } = (await rows(theirs, '?limit=1')).body
    const restarted = await rows(mine, `?limit=1&cursor=${next_cursor}`)
    expect(restarted.headers.get('x-cursor-reset')).toBe('true')
    expect(idsOf(restarted)).toEqual(idsOf(await rows(mine, '?limit=1')))
  })

  test.each(parametersOf(endpoint).filter(isReference))(
    'finds nothing by a %s of another workspace',
    async (name) => {
      const foreign = await makeReferent(name, theirs.workspace)
      expect(idsOf(await rows(mine, `?${name}=${foreign}`))).toEqual([])
    },
  )
})
