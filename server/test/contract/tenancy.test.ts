import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { apiBase, endpoints } from '../../src/api.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client, Response } from '../support/client.ts'
import { assertAnnounced } from '../support/contract.ts'
import { fingerprint } from '../support/database.ts'
import { sendVerbatim } from './raw-http.ts'
import { ask, bodyFor, inGroups, makeRecords, makeReferent, membersOf, parametersOf, pathTo, pathToNew, pathWithin, takesId } from './requests.ts'

interface Tenant {
  workspace: TestWorkspace
  agent: Client
  made: ReadonlyMap<string, string>
}

let app: TestApp
let mine: Tenant
let theirs: Tenant

beforeAll(async () => {
  app = await testApp()
  ;[mine, theirs] = [await tenant(), await tenant()]
})

afterAll(() => app[Symbol.asyncDispose]())

async function tenant(): Promise<Tenant> {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  await makeRecords(agent)
  return { workspace, agent, made: await makeRecords(agent) }
}

const named = endpoints.filter(takesId)
const lists = endpoints.filter(({ list }) => list)
const isReference = ([name]: [string, unknown]) => name.endsWith('_id')
const references = endpoints.flatMap((endpoint) =>
  membersOf(endpoint).filter(isReference).map(([name]) => ({ endpoint, name, route: `${endpoint.method} ${endpoint.path}` })),
)

const changing = new Set(['x-request-id', 'x-ratelimit-remaining', 'date'])

/** All of an answer that may not differ from another's. */
const told = ({ status, headers, body }: Response) => ({
  status,
  headers: [...headers].filter(([name]) => !changing.has(name)),
  error: { ...body['error'], request_id: '' },
})

const malformedIds = [
  '', 'c', '1', 'null', 'undefined', '__proto__', 'constructor', '-', '*', '~', '.', '..', '%2e%2e', '%20', '%00', '%0a', '%2F', '..%2F..%2F',
  'c%2Fnotes', "'%20or%201=1--", ';', '%25', '%25s', '%F0%9F%98%80', '%EF%BB%BF', 'x'.repeat(300), 'c'.repeat(24), `c${'A'.repeat(24)}`,
  `c${'a'.repeat(25)}`, `c${'a'.repeat(23)}%C3%A9`, `c${'a'.repeat(24)}%00`, `c${'a'.repeat(24)}%0A`, `C${'a'.repeat(24)}`,
]

/** No address at all: what follows the percent sign is no UTF-8. */
const invalidAddresses = ['%', '%zz', '%ff', '%c0%af', '%ed%a0%80']

const endlessAddress = 'x'.repeat(3000)

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

  test('answers 404 to what can be no id, 400 and 414 to what can be no address', async () => {
    const before = await fingerprint(app.databaseUrl)
    const statuses = await inGroups(app.clock, [...malformedIds, ...invalidAddresses, endlessAddress], async (id) => {
      const path = apiBase + pathTo(endpoint, id)
      const headers = { authorization: `token ${mine.agent.key}` }
      const answer = await sendVerbatim(app.url, { method: endpoint.method, path, headers, body: bodyFor(endpoint) })
      assertAnnounced(endpoint.method, app.url + path, answer.status, answer.headers, JSON.parse(answer.text))
      return [id, answer.status]
    })
    expect(statuses).toEqual([
      ...malformedIds.map((id) => [id, 404]),
      ...invalidAddresses.map((id) => [id, 400]),
      [endlessAddress, 414],
    ])
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
  })
})

test.each(references)('$route: a $name of another workspace or of nothing is 404 that names it, and nothing is written', async ({ endpoint, name }) => {
  app.clock.advance(60_000)
  const path = await pathToNew(endpoint, mine.agent)
  const foreign = await makeReferent(name, theirs.workspace)
  const before = await fingerprint(app.databaseUrl)
  const answers: Response[] = []
  for (const id of [foreign, newId(app.clock.now()), 'nobody', '', '😀'.repeat(40), "'; drop table contacts; --"]) {
    const body = { ...bodyFor(endpoint), [name]: id }
    answers.push(await mine.agent.request(endpoint.method, path, { body }))
    if (endpoint.method === 'POST') answers.push(await mine.agent.post(path, body, { 'idempotency-key': `key-${answers.length}` }))
  }
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found', details: [{ path: name }] } } })
    expect(told(answer)).toEqual(told(answers[0] ?? answer))
  }
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
  const own = await makeReferent(name, mine.workspace)
  const accepted = await mine.agent.request(endpoint.method, path, { body: { ...bodyFor(endpoint), [name]: own } })
  expect(accepted.body[name]).toBe(own)
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

  test.each(parametersOf(endpoint).filter(isReference))('finds nothing by a %s of another workspace', async (name) => {
    const foreign = await makeReferent(name, theirs.workspace)
    expect(idsOf(await rows(mine, `?${name}=${foreign}`))).toEqual([])
  })
})
