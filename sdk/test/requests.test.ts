import { Gable, GableError } from 'gable'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clientOf, failure, json, scripted } from './scripted.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The outcome, once all waits are over. */
async function settled<T>(work: PromiseLike<T>): Promise<T | GableError> {
  const outcome = Promise.resolve(work).catch((error: GableError) => error)
  await vi.runAllTimersAsync()
  return outcome
}

test('a method sends its ids, query, body, and key', async () => {
  const { gable, sent } = clientOf(json({ id: 'a' }))
  await gable.contacts.list({ stage: 'LEAD', ids: ['a', 'b'], limit: 2, fields: ['first_name', 'tags'] })
  await gable.contacts.update(
    'a/b',
    { first_name: 'Ada' },
    { ifMatch: '2026-11-20T20:11:04.817Z', fields: ['stage'] },
  )
  await gable.webhooks.deliveries.redeliver('w', 'd')
  await gable.openapi.retrieve()
  expect(
    sent.map(({ method, url, body }) => [method, url.replace('https://gable.example', ''), body]),
  ).toEqual([
    ['GET', '/v1/contacts?stage=LEAD&ids=a%2Cb&limit=2&fields=first_name%2Ctags', undefined],
    ['PATCH', '/v1/contacts/a%2Fb?fields=stage', { first_name: 'Ada' }],
    ['POST', '/v1/webhooks/w/deliveries/d/redeliver', undefined],
    ['GET', '/v1/openapi.json', undefined],
  ])
  expect(sent[0]?.headers.get('authorization')).toBe('token gbl_key_1')
  expect(sent[1]?.headers.get('if-match')).toBe('"2026-11-20T20:11:04.817Z"')
})

test('a missing id is an error before anything is sent', () => {
  const { gable, sent } = clientOf(json({}))
  for (const id of ['', undefined, null, {}])
    expect(() => gable.contacts.delete(id as string)).toThrow('DELETE /contacts/* takes an ID.')
  expect(sent).toEqual([])
})

test('every POST that writes has an Idempotency-Key: one for each call, the same in each try', async () => {
  const { gable, sent } = clientOf(failure(503, 'unavailable'), json({ id: 'a' }))
  await settled(gable.contacts.create({ first_name: 'Ada' }))
  await settled(gable.contacts.create({ first_name: 'Ada' }))
  await settled(gable.contacts.create({ first_name: 'Ada' }, { idempotencyKey: 'mine' }))
  const [first, again, second, third] = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect(first).toMatch(/^[\da-f-]{36}$/)
  expect(again).toBe(first)
  expect(second).toMatch(/^[\da-f-]{36}$/)
  expect(second).not.toBe(first)
  expect(third).toBe('mine')
})

test('the parameters of a request with a body are options of the call', async () => {
  const { gable, sent } = clientOf(json({ id: 'a' }))
  const draft = { external_ids: [{ system: 'crm', id: 'a-1' }] }
  await gable.contacts.create(draft, { upsert: 'external_id', fields: ['stage'], idempotencyKey: 'mine' })
  await gable.contacts.batch({ items: [draft] }, { upsert: 'external_id', retryFor: 0 })
  await gable.contacts.update('a', { stage: 'SPHERE' }, { fields: ['stage'], ifMatch: 'v' })
  expect(sent.map(({ url }) => url.split('/v1')[1])).toEqual([
    '/contacts?upsert=external_id&fields=stage',
    '/contacts/batch?upsert=external_id',
    '/contacts/a?fields=stage',
  ])
})

describe('a request is repeated only if that is safe:', () => {
  const calls: [string, (gable: Gable) => PromiseLike<unknown>, boolean][] = [
    ['GET', (gable) => gable.contacts.retrieve('a'), true],
    ['a list', (gable) => gable.contacts.list(), true],
    ['DELETE', (gable) => gable.contacts.delete('a'), true],
    ['POST, with its key', (gable) => gable.contacts.create(), true],
    ['PATCH', (gable) => gable.contacts.update('a', {}), false],
    ['PATCH with ifMatch', (gable) => gable.contacts.update('a', {}, { ifMatch: 'v' }), true],
    ['PUT', (gable) => gable.routingRules.update({} as never), false],
    ['a POST that changes nothing, without a key', (gable) => gable.messages.preflight({} as never), true],
  ]

  test.for(calls)('%s', async ([name, call, isSafe]) => {
    for (const reply of [
      failure(503, 'unavailable'),
      failure(500, 'internal'),
      new TypeError('fetch failed'),
    ]) {
      const { gable, sent } = clientOf(reply)
      const error = await settled(call(gable))
      expect(error).toBeInstanceOf(GableError)
      expect(sent).toHaveLength(isSafe ? 3 : 1)
      expect(sent.every(({ headers }) => !headers.has('idempotency-key'))).toBe(!name.includes('its key'))
    }
    const { gable, sent } = clientOf(failure(429, 'rate_limited', { 'retry-after': '1' }), json({ data: [] }))
    expect(await settled(call(gable))).not.toBeInstanceOf(GableError)
    expect(sent).toHaveLength(2)
  })

  test.for([400, 401, 403, 404, 409, 412, 422])('not after a %i', async (status) => {
    const { gable, sent } = clientOf(failure(status, 'a_code'))
    expect(await settled(gable.contacts.retrieve('a'))).toMatchObject({ status, code: 'a_code' })
    expect(sent).toHaveLength(1)
  })

  test('but while the first request with the key is running', async () => {
    const { gable, sent } = clientOf(failure(409, 'idempotency_in_progress'), json({ id: 'a' }))
    expect(await settled(gable.contacts.create())).toEqual({ id: 'a' })
    expect(sent).toHaveLength(2)
  })
})

test('tries wait with full jitter, and at least for Retry-After', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const began = Date.now()
  const times: number[] = []
  const { fetch: send } = scripted(
    () => failure(503, 'unavailable', { 'retry-after': '7' }),
    () => failure(503, 'unavailable'),
    () => json({ id: 'a' }),
  )
  const recording: typeof fetch = (input, init) => {
    times.push(Date.now() - began)
    return send(input, init)
  }
  await settled(
    new Gable({ apiKey: 'a', baseUrl: 'https://gable.example', fetch: recording }).ping.retrieve(),
  )
  vi.restoreAllMocks()
  expect(times).toEqual([0, 7500, 8500])
})

test('a call that would have to wait for more than a minute fails at once, and says until when', async () => {
  const { gable, sent } = clientOf(failure(503, 'unavailable', { 'retry-after': '90' }))
  const error = await settled(gable.ping.retrieve())
  expect(error).toMatchObject({ code: 'unavailable', retryAt: new Date(Date.now() + 90_000) })
  expect(sent).toHaveLength(1)
})

test('retryFor limits the waits of one call, or of all calls', async () => {
  const { gable, sent } = clientOf(failure(429, 'rate_limited', { 'retry-after': '5' }))
  await settled(gable.ping.retrieve({ retryFor: 4000 }))
  expect(sent).toHaveLength(1)
  const { fetch: send, sent: others } = scripted(failure(503, 'unavailable'))
  const impatient = new Gable({ apiKey: 'a', baseUrl: 'https://gable.example', fetch: send, retryFor: 0 })
  await settled(impatient.ping.retrieve())
  expect(others).toHaveLength(1)
  await settled(impatient.ping.retrieve({ retryFor: 60_000 }))
  expect(others).toHaveLength(4)
})

describe('errors', () => {
  test('have what the response states', async () => {
    const details = [{ path: 'limit', message: 'must be <= 200' }]
    const more = { details, reasons: ['quiet_hours'], retry_at: '2026-11-21T14:00:00.000Z', message_id: 'm' }
    const { gable } = clientOf(failure(422, 'compliance_blocked', {}, more))
    const error = await settled(gable.messages.create({ channel: 'sms', to: '+13125550123', body: 'Hello' }))
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'GableError',
      message: 'A message about compliance_blocked.',
      code: 'compliance_blocked',
      status: 422,
      details,
      reasons: ['quiet_hours'],
      retryAt: new Date('2026-11-21T14:00:00.000Z'),
      requestId: 'req_1',
      body: { message_id: 'm' },
    })
  })

  test('of others than Gable have a code too', async () => {
    const page = new Response('<html>Bad gateway', {
      status: 502,
      headers: { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    })
    const { gable } = clientOf(page)
    const error = await settled(gable.ping.retrieve())
    expect(error).toMatchObject({ code: 'http_502', details: [], reasons: [], requestId: undefined })
    expect((error as GableError).retryAt).toEqual(new Date('2100-01-01T00:00:00.000Z'))
    const { gable: other } = clientOf(new Response('<html>', { status: 200 }))
    expect(await settled(other.ping.retrieve())).toMatchObject({ code: 'unreadable_response', status: 200 })
  })

  test('of the network have their cause', async () => {
    const cause = new TypeError('fetch failed')
    const { gable } = clientOf(cause)
    expect(await settled(gable.ping.retrieve())).toMatchObject({
      code: 'connection_failed',
      status: 0,
      cause,
    })
  })
})

describe('time', () => {
  const hanging: typeof fetch = (_, { signal } = {}) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

  test('a try ends after the timeout, of the client or of the call', async () => {
    for (const [timeout, own] of [[1000], [30_000, 1000]] as const) {
      const gable = new Gable({ apiKey: 'a', baseUrl: 'https://gable.example', timeout, fetch: hanging })
      const began = Date.now()
      const options = own === undefined ? {} : { timeout: own }
      expect(await settled(gable.contacts.update('a', {}, options))).toMatchObject({
        code: 'timeout',
        status: 0,
      })
      expect(Date.now() - began).toBe(1000)
    }
  })

  test('a signal ends the request and the wait, with its own reason', async () => {
    const gable = new Gable({ apiKey: 'a', baseUrl: 'https://gable.example', fetch: hanging })
    const { gable: waiting, sent } = clientOf(failure(503, 'unavailable', { 'retry-after': '30' }))
    for (const client of [gable, waiting]) {
      const abort = new AbortController()
      const outcome = client.ping.retrieve({ signal: abort.signal }).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(10)
      const reason = new Error('The page was left.')
      abort.abort(reason)
      expect(await outcome).toBe(reason)
    }
    expect(sent).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('nothing is left running after a response', async () => {
    const { gable } = clientOf(json({ id: 'a' }))
    await gable.ping.retrieve({ signal: new AbortController().signal })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a list', () => {
  const pages = [
    json({ data: [{ id: 'a' }, { id: 'b' }], next_cursor: 'n1', has_more: true }),
    json({ data: [{ id: 'c' }], next_cursor: null, has_more: false }),
  ]

  test('is one page when it is awaited, requested once', async () => {
    const { gable, sent } = clientOf(...pages)
    const list = gable.contacts.list({ tag: 'buyer' })
    expect(sent).toEqual([])
    const page = await list
    expect(page).toEqual({ data: [{ id: 'a' }, { id: 'b' }], nextCursor: 'n1', cursorReset: false })
    expect(await list).toBe(page)
    expect(sent).toHaveLength(1)
  })

  test('is all items when it is iterated, with the filters on each page', async () => {
    const { gable, sent } = clientOf(...pages)
    const ids: string[] = []
    for await (const { id } of gable.contacts.list({ tag: 'buyer', fields: ['tags'] })) ids.push(id)
    expect(ids).toEqual(['a', 'b', 'c'])
    expect(sent.map(({ url }) => url.split('?')[1])).toEqual([
      'tag=buyer&fields=tags',
      'tag=buyer&fields=tags&cursor=n1',
    ])
  })

  test('ends with an error if the cursor is stale, instead of beginning again', async () => {
    const [first] = pages
    const { gable } = clientOf(
      first ?? json({}),
      json({ data: [{ id: 'a' }], next_cursor: 'n1' }, 200, { 'x-cursor-reset': 'true' }),
    )
    const ids: string[] = []
    const all = async () => {
      for await (const { id } of gable.contacts.list()) ids.push(id)
    }
    await expect(all()).rejects.toMatchObject({ code: 'cursor_reset' })
    expect(ids).toEqual(['a', 'b'])
  })

  test('rejects as a promise does', async () => {
    const { gable } = clientOf(failure(403, 'insufficient_scope'))
    await expect(gable.contacts.list()).rejects.toMatchObject({ code: 'insufficient_scope' })
  })
})

describe('a session', () => {
  test('sends the CSRF token, which it reads once, and the workspace', async () => {
    const { fetch: send, sent } = scripted(({ url }) =>
      url.endsWith('/me') ? json({ csrf_token: 'c1' }) : json({ data: [], next_cursor: null }),
    )
    const gable = new Gable({ session: { workspaceId: 'w' }, fetch: send })
    await gable.contacts.list()
    await gable.me.update({ name: 'Ada' })
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v1/me',
      'GET /v1/contacts',
      'PATCH /v1/me',
    ])
    for (const { headers } of sent.slice(1))
      expect([
        headers.get('x-csrf-token'),
        headers.get('gable-workspace'),
        headers.get('authorization'),
      ]).toEqual(['c1', 'w', null])
  })

  test('reads the token again after a 401, once', async () => {
    let tokens = 0
    const { fetch: send, sent } = scripted(({ url, headers }) => {
      if (url.endsWith('/me')) return json({ csrf_token: `c${++tokens}` })
      return headers.get('x-csrf-token') === 'c2' ? json({ id: 'a' }) : failure(401, 'unauthorized')
    })
    await new Gable({ session: { workspaceId: 'w' }, fetch: send }).contacts.retrieve('a')
    expect(sent).toHaveLength(4)
    const { fetch: none, sent: all } = scripted(failure(401, 'unauthorized'))
    await expect(new Gable({ session: {}, fetch: none }).me.retrieve()).rejects.toMatchObject({ status: 401 })
    expect(all).toHaveLength(2)
  })
})
