import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiBase } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'

interface Request {
  method: string
  path: string
  headers?: Record<string, string>
  body?: Record<string, string>
}

/** Requests whose responses have rate limit headers. */
const counted: Request[] = [
  { method: 'GET', path: `${apiBase}/ping` },
  { method: 'GET', path: `${apiBase}/ping`, headers: { authorization: 'Token rubbish' } },
  { method: 'GET', path: `${apiBase}/ping`, headers: { authorization: `Token gbl_${'x'.repeat(43)}` } },
  { method: 'GET', path: `${apiBase}/me`, headers: { cookie: '__Host-gable_session=rubbish' } },
  { method: 'GET', path: `${apiBase}/openapi.json` },
  { method: 'GET', path: `${apiBase}/nothing` },
  { method: 'GET', path: `${apiBase}/contacts/%zz` },
  { method: 'GET', path: '/account' },
  {
    method: 'POST',
    path: '/oauth/token',
    body: { grant_type: 'refresh_token', client_id: 'unknown', refresh_token: 'rubbish' },
  },
]

/** Requests that are counted in the database. The sign-in page creates a passkey challenge. */
const attempts: Request[] = [
  { method: 'GET', path: '/sign-in' },
  { method: 'POST', path: '/sign-in', body: { email: 'unknown@gable.example', password: 'a wrong one' } },
  { method: 'POST', path: '/sign-in/forgot', body: { email: 'unknown@gable.example' } },
]

let addresses = 0
const newAddress = () => `198.51.${++addresses >> 8}.${addresses & 255}`

describe.each([
  { trustProxy: 0, length: 3, place: undefined },
  { trustProxy: 1, length: 3, place: 2 },
  { trustProxy: 2, length: 3, place: 1 },
  { trustProxy: 3, length: 3, place: 0 },
  // A request that passed through fewer proxies.
  { trustProxy: 3, length: 2, place: 0 },
])(
  'with $length addresses in X-Forwarded-For, TRUST_PROXY=$trustProxy counts the one at index $place',
  ({ trustProxy, length, place }) => {
    let app: TestApp

    beforeAll(async () => void (app = await testApp({ trustProxy })))
    afterAll(() => app[Symbol.asyncDispose]())

    /** Sends the request as the caller. All other addresses in the header are new each time. */
    const sendAs = (caller: string, { method, path, headers, body }: Request) => {
      const chain = Array.from({ length }, newAddress)
      if (place !== undefined) chain[place] = caller
      return fetch(`http://localhost:${new URL(app.url).port}${path}`, {
        method,
        redirect: 'manual',
        headers: { ...headers, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': chain.join(', ') },
        ...(body && { body: new URLSearchParams(body) }),
      })
    }

    /** `isNew` sends a request as the caller, and returns whether it counted as the caller's first. */
    async function expectCounted(isNew: (caller: string) => Promise<boolean>, what: string) {
      const [one, other] = [newAddress(), newAddress()]
      const isFirst = await isNew(one)
      const expected = place === undefined ? [isFirst, false, false] : [true, false, true]
      expect([isFirst, await isNew(one), await isNew(other)], what).toEqual(expected)
    }

    test('for the rate limit without a credential', async () => {
      for (const request of counted)
        await expectCounted(async (caller) => {
          const { headers } = await sendAs(caller, request)
          const [limit, remaining] = ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) =>
            Number(headers.get(name) ?? Number.NaN),
          )
          return limit === (remaining ?? 0) + 1
        }, `${request.method} ${request.path}`)
    })

    test('for sign-in attempts', async () => {
      const countRows = async () => (await asOwner(app.databaseUrl, 'select from sign_in_attempts')).length
      for (const request of attempts)
        await expectCounted(async (caller) => {
          const before = await countRows()
          await sendAs(caller, request)
          return (await countRows()) > before
        }, `${request.method} ${request.path}`)
    })
  },
)
