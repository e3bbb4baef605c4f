import { startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { type Person, personIn } from '../support/browser.ts'
import type { Client } from '../support/client.ts'
import { asOwner, fingerprint } from '../support/database.ts'
import { sessionClient } from '../support/session-client.ts'
import { ask, pathToNew } from './requests.ts'

const opened = new AsyncDisposableStack()
let app: TestApp
let workspace: TestWorkspace
let agent: Client
let owner: Person

beforeAll(async () => {
  const carrier = opened.use(await startCarrier({ host: '127.0.0.1', port: 0, now: () => app.clock.now() }))
  app = opened.use(await testApp({ simulatedCarrierUrl: carrier.origin }))
  workspace = await app.workspace()
  agent = await workspace.credential()
  owner = await personIn(workspace)
})
afterAll(() => opened.disposeAsync())

/** Requests that write something but no event, with the reason. */
const withoutEvent: Record<string, string> = {
  'POST /messages': 'The message is the record; message.sent follows when it has been sent.',
  'POST /messages/{id}/resend': 'The message is the record; message.sent follows when it has been sent.',
  'POST /campaigns/{id}/test': 'The message is the record; message.sent follows when it has been sent.',
  'POST /webhooks/{id}/test': 'The delivery is the record.',
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': 'The delivery is the record.',
  'POST /webhooks/{id}/recover': 'The deliveries are the record.',
}

/** Requests that write something even when repeated, with the reason. */
const again: Record<string, string> = {
  'POST /test-clock': 'Each request turns the clock further.',
  'POST /apps/{id}/rotate-secret': 'Each request makes a new secret.',
  'POST /webhooks/{id}/rotate-secret': 'Each request makes a new secret.',
  'POST /campaigns/{id}/summary': 'Each request makes a new summary.',
  'POST /connections/{id}/test': 'Each test has a time.',
  'POST /automations/{id}/migrate': 'Each request is a change with a record of its own.',
  'POST /contacts/batch': 'Each item without a key makes a record, as a single request does.',
  'POST /leads/batch':
    'Each item without a key and without a reference makes a record, as a single request does.',
  'DELETE /leads/{id}/consent': 'It also takes back what the person has consented to since.',
}

const routeOf = ({ method, path }: Endpoint) => `${method} ${path}`
const writes = endpoints.filter(({ method }) => method !== 'GET')
const readOnly = writes.filter((endpoint) => endpoint.readOnly === true)
const unrecorded = writes.filter((endpoint) => routeOf(endpoint) in withoutEvent)
const recorded = writes.filter((one) => !readOnly.includes(one) && !unrecorded.includes(one))
/** What these scopes change is shared by the workspace. */
const sharedScopes: ReadonlySet<string> = new Set([
  'settings:manage',
  'webhooks:manage',
  'automations:write',
  'listings:write',
  'compliance:write',
])
/** Excludes requests that create a record: they create another when repeated. */
const repeatable = recorded.filter(({ responses }) => !('201' in responses))

/**
 * Sends the valid request as the owner. Returns the status, the changed tables, and the actors and transactions of
 * the events written.
 */
async function observe(endpoint: Endpoint, path: string) {
  app.clock.advance(60_000)
  const client = await sessionClient(app, owner, workspace.id)
  const known = await eventIds()
  const before = await fingerprint(app.databaseUrl)
  const { status } = await ask(client, endpoint, path)
  const after = await fingerprint(app.databaseUrl)
  const events = await asOwner<{
    name: string
    actor: object
    data: Record<string, unknown>
    transaction: string
  }>(
    app.databaseUrl,
    'select name, actor, data, xmin::text as transaction from events where workspace_id = $1 and id <> all ($2)',
    [workspace.id, known],
  )
  return { status, changed: Object.keys(after).filter((table) => after[table] !== before[table]), events }
}

const eventIds = async () => {
  const text = 'select id from events where workspace_id = $1'
  return (await asOwner<{ id: string }>(app.databaseUrl, text, [workspace.id])).map(({ id }) => id)
}

async function currentTransaction(): Promise<string> {
  const [row] = await asOwner<{ id: string }>(app.databaseUrl, 'select pg_current_xact_id()::text as id')
  return row?.id ?? ''
}

/** The transactions since this one that wrote rows of the table. */
const writersOf = async (table: string, since: string) => {
  const text = `select distinct xmin::text as id from ${table} where xmin::text::bigint > $1`
  return (await asOwner<{ id: string }>(app.databaseUrl, text, [since])).map(({ id }) => id)
}

describe.each(recorded)('$method $path', (endpoint) => {
  let path: string
  let start: string
  let first: Awaited<ReturnType<typeof observe>>

  beforeAll(async () => {
    path = await pathToNew(endpoint, agent)
    start = await currentTransaction()
    first = await observe(endpoint, path)
  })

  test('writes an event attributed to the caller in the same transaction', async () => {
    const { status, changed, events } = first
    expect(status).toBeLessThan(300)
    const { id, name } = owner.member
    expect(events).not.toEqual([])
    for (const { actor } of events) expect(actor).toEqual({ type: 'member', id, name })
    const transactions = new Set(events.map(({ transaction }) => transaction))
    for (const table of changed)
      for (const writer of await writersOf(table, start)) expect(transactions, table).toContain(writer)
  })

  test('is in the audit log if all of the workspace shares what it changes', () => {
    const isAudited = first.events.some(({ name }) => app.runtime.eventTypes.get(name)?.audit === true)
    expect([isAudited, !sharedScopes.has(endpoint.scope)]).toContain(true)
  })

  test.runIf(endpoint.method === 'PATCH')('says in the audit log which fields changed', () => {
    const audited = first.events.filter(({ name }) => app.runtime.eventTypes.get(name)?.audit === true)
    for (const { name, data } of audited.filter((one) => one.name.endsWith('.updated'))) {
      const { changes, changed = changes, from, to } = data
      expect([changed, from, to], name).not.toEqual([undefined, undefined, undefined])
      expect(changed, name).not.toEqual([])
    }
  })

  if (!repeatable.includes(endpoint)) return
  test('changes nothing when repeated unless it is a listed exception', async () => {
    const { changed } = await observe(endpoint, path)
    if (routeOf(endpoint) in again) expect(changed).not.toEqual([])
    else expect(changed).toEqual([])
  })
})

test.each(unrecorded)('$method $path writes no event', async (endpoint) => {
  const { status, events } = await observe(endpoint, await pathToNew(endpoint, agent))
  expect(status).toBeLessThan(300)
  expect(events).toEqual([])
})

test.each(readOnly)('$method $path changes nothing, as it declares', async (endpoint) => {
  const { status, changed } = await observe(endpoint, await pathToNew(endpoint, agent))
  expect([status, changed]).toEqual([200, []])
})

test('each listed exception is a tested endpoint', () => {
  expect(unrecorded.map(routeOf)).toEqual(expect.arrayContaining(Object.keys(withoutEvent)))
  expect(repeatable.map(routeOf)).toEqual(expect.arrayContaining(Object.keys(again)))
})
