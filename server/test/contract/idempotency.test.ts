import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { newId } from '#kernel/ids.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { personIn } from '../support/browser.ts'
import type { Client, Response } from '../support/client.ts'
import { fingerprint, fingerprintBefore } from '../support/database.ts'
import { sessionClient } from '../support/session-client.ts'
import { idsIn, ofEachForm } from './forms.ts'
import { acceptedValues } from './named-values.ts'
import { bodyFor, kindsOf, membersOf, pathTo, pathToNew, readyAgain, takesId } from './requests.ts'
import { isReference } from './tenants.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const dayMs = 24 * 60 * 60 * 1000
const posts = endpoints.filter(({ method }) => method === 'POST')

const withKey = (key: string) => ({ 'idempotency-key': key })
const isReplay = ({ headers }: Response) => headers.get('idempotency-replayed') === 'true'

/** The valid body with a different value in the first member that accepts one. */
function otherBody(whole: Endpoint): object {
  const [endpoint = whole] = kindsOf(whole)
  const body = bodyFor(endpoint) ?? {}
  for (const [name, schema] of membersOf(endpoint).filter((member) => !isReference(member))) {
    const other = acceptedValues(endpoint, name, schema).find((value) => value !== '' && value !== body[name])
    if (other !== undefined) return { ...body, [name]: other }
  }
  const [reference] = membersOf(endpoint)
  if (reference !== undefined) return { ...body, [reference[0]]: 'another' }
  throw new Error(`No other body is known for ${endpoint.path}.`)
}

/** At every endpoint: a handler could write outside the transaction that stores the response. */
test.each(posts)('POST $path runs once per key and replays the exact first response', async (endpoint) => {
  app.clock.advance(60_000)
  const agent = await app.credential()
  const path = await pathToNew(endpoint, agent)
  const send = () => agent.post(path, bodyFor(endpoint), withKey('once'))
  const first = await send()
  expect(Object.keys(endpoint.responses)).toContain(String(first.status))
  expect(isReplay(first)).toBe(false)
  const before = await fingerprintBefore(app.databaseUrl)
  app.clock.advance(60_000)
  const again = await send()
  expect([again.status, isReplay(again)]).toEqual([first.status, true])
  expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body))
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

/** Whether a request is the same as the first is decided before the handler, by path, query, field mask, and body. */
const ofEachRequest = ofEachForm(posts, ({ path, query, fields, body }) => ({
  ids: idsIn(path),
  query: query !== undefined,
  fields: fields === true,
  body: body !== undefined,
}))

describe.each(ofEachRequest)('POST $path', (endpoint) => {
  const body = bodyFor(endpoint)
  let workspace: TestWorkspace
  let agent: Client

  beforeAll(async () => {
    workspace = await app.workspace()
    agent = await workspace.credential()
  })

  test('returns 409 idempotency_mismatch if a key is reused with another body, query, or path', async () => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const first = await agent.post(path, body, withKey('mismatch'))
    const before = await fingerprintBefore(app.databaseUrl)
    const others = [
      ...(endpoint.body ? [await agent.post(path, otherBody(endpoint), withKey('mismatch'))] : []),
      ...(endpoint.fields ? [await agent.post(`${path}?fields=id`, body, withKey('mismatch'))] : []),
    ]
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
    if (takesId(endpoint))
      others.push(await agent.post(await pathToNew(endpoint, agent), body, withKey('mismatch')))
    expect(others).not.toEqual([])
    for (const rejected of others) {
      expect(rejected).toMatchObject({ status: 409, body: { error: { code: 'idempotency_mismatch' } } })
      expect(isReplay(rejected)).toBe(false)
    }
    expect((await agent.post(path, body, withKey('mismatch'))).body).toEqual(first.body)
  })

  test('leaves the key unused if the request is rejected', async () => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const before = await fingerprintBefore(app.databaseUrl)
    const rejections = [
      await agent.post(`${path}?stray=1`, body, withKey('rejected')),
      ...(endpoint.body
        ? [
            await agent.post(path, { stray: 1 }, withKey('rejected')),
            await agent.request('POST', path, { raw: '{', headers: withKey('rejected') }),
          ]
        : []),
      ...(takesId(endpoint)
        ? [await agent.post(pathTo(endpoint, newId(app.clock.now())), body, withKey('rejected'))]
        : []),
    ]
    for (const { status } of rejections) expect([400, 404]).toContain(status)
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
    const accepted = await agent.post(path, body, withKey('rejected'))
    expect([accepted.status < 300, isReplay(accepted)]).toEqual([true, false])
  })
})

/**
 * Everything else about a key depends on whether something is prepared before the transaction, whether the response is
 * sealed, and whether an API key or a person sends the request.
 */
const ofEachHandling = ofEachForm(posts, ({ prepare, returnsSecret, recentSignIn }) => ({
  prepares: prepare !== undefined,
  seals: returnsSecret === true,
  byPerson: recentSignIn === true,
}))

describe.each(ofEachHandling)('POST $path', (endpoint) => {
  const body = bodyFor(endpoint)
  let workspace: TestWorkspace
  let agent: Client

  beforeAll(async () => {
    workspace = await app.workspace()
    agent = await workspace.credential()
  })

  test('runs once if twenty requests with one key arrive concurrently', async () => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => agent.post(path, body, withKey('rush'))),
    )
    const done = responses.filter(({ status }) => status < 300)
    expect(done.filter((response) => !isReplay(response))).toHaveLength(1)
    expect(new Set(done.map((response) => JSON.stringify(response.body))).size).toBe(1)
    for (const response of responses.filter(({ status }) => status >= 300)) {
      expect(response).toMatchObject({ status: 409, body: { error: { code: 'idempotency_in_progress' } } })
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    }
  })

  test('keeps the keys of different credentials separate', async () => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const colleague = await sessionClient(app, await personIn(workspace), workspace.id)
    const first = await agent.post(path, body, withKey('mine'))
    await readyAgain(endpoint, path)
    const second = await colleague.post(path, body, withKey('mine'))
    expect([first.status < 300, second.status < 300, isReplay(second)]).toEqual([true, true, false])
  })

  test('forgets a key after 24 hours, not before', async () => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const send = () => agent.post(path, body, withKey('day'))
    await send()
    app.clock.advance(dayMs - 1)
    expect(isReplay(await send())).toBe(true)
    app.clock.advance(1)
    await readyAgain(endpoint, path)
    expect(isReplay(await send())).toBe(false)
    app.clock.advance(dayMs - 1)
    expect(isReplay(await send())).toBe(true)
  })

  test('rejects invalid keys with 400', async () => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const before = await fingerprintBefore(app.databaseUrl)
    for (const key of ['', 'a b', 'a\tb', 'é', 'a'.repeat(256), 'one, two']) {
      const rejected = await agent.post(path, body, withKey(key))
      expect([key, rejected.status]).toEqual([key, 400])
      expect(rejected.body['error'].details).toEqual([
        { path: 'Idempotency-Key', message: expect.any(String) },
      ])
    }
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
  })
})

test.each(['a', '!', 'a'.repeat(255), '"quoted"', "';drop-table-idempotency_replies;--"])(
  'accepts the key %s',
  async (key) => {
    const agent = await app.credential()
    const post = () => agent.post('/contacts', { first_name: 'Ada' }, withKey(key))
    const [first, again] = [await post(), await post()]
    expect([first.status, again.status, isReplay(first), isReplay(again)]).toEqual([201, 201, false, true])
  },
)
