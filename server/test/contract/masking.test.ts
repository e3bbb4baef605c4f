import { afterAll, beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { endpoints } from '../../src/api.ts'
import { allScopes } from '../../src/modules/access/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client, Response } from '../support/client.ts'
import { asOwner } from '../support/database.ts'
import { maskedMembers, withValue } from './annotations.ts'
import type { Schema } from './hostile-values.ts'
import { type Mark, emptied, leak, markedMembers, marks, mask } from './marks.ts'
import { expectRejected, pathsOf } from './rejections.ts'
import { bodyFor, kindsOf, pathTo, pathToNew, prefixOf, readyAgain, takesId } from './requests.ts'

/** Settings concern the workspace and its members, and are shown unmasked. */
const settings =
  'agents api-keys apps compliance-settings connections invitations members offices pipelines routing-rules senders teams templates webhooks workspace'.split(
    ' ',
  )

const routeOf = ({ method, path }: Endpoint) => `${method} ${path}`
const writes = endpoints
  .filter(({ path, body }) => body !== undefined && !settings.includes(path.split('/')[1] ?? ''))
  // Roles that may sign in and write see personal data.
  .filter(({ recentSignIn }) => recentSignIn !== true)
  .flatMap(kindsOf)

const reads = endpoints.filter(({ method }) => method === 'GET')

let app: TestApp
let workspace: TestWorkspace
let all: Client
let few: Client
/** The records with marks: the prefixes of their paths, and the ids in them. */
const made: { prefix: string; ids: string[] }[] = []
/** The responses to writes by the credential without contacts:read:pii. */
const responses: [route: string, Response][] = []

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  all = await workspace.credential()
  few = await workspace.credential(...allScopes.filter((scope) => scope !== 'contacts:read:pii'))
  const webhook = (await all.post('/webhooks', { url: 'https://hooks.example/gable' })).body['id']
  await all.patch(`/webhooks/${webhook}`, { paused: true })
  for (const endpoint of writes)
    for (const client of [all, few]) responses.push(...(await writeMarks(client, endpoint)))
  made.push({ prefix: '/webhooks/{id}', ids: [webhook] })
  const { data } = (await all.get(`/webhooks/${webhook}/deliveries?limit=100`)).body
  const perEvent = new Map<string, string>(
    data.map((one: Record<string, string>) => [one['event'], one['id']]),
  )
  for (const id of perEvent.values())
    made.push({ prefix: '/webhooks/{id}/deliveries/{delivery_id}', ids: [webhook, id] })
  for (const { path } of reads.filter(({ list }) => list !== undefined).filter((one) => !takesId(one))) {
    const rows: { id: string }[] = (await all.get(`${path}?limit=25`)).body['data']
    made.push(...rows.map(({ id }) => ({ prefix: `${path}/{id}`, ids: [id] })))
  }
})
afterAll(() => app[Symbol.asyncDispose]())

/**
 * Writes a mark, replaces it with another, and then clears it. Returns the responses that the credential without
 * contacts:read:pii gets.
 */
async function writeMarks(client: Client, endpoint: Endpoint): Promise<typeof responses> {
  app.clock.advance(60_000)
  const path = await pathToNew(endpoint, all)
  if (takesId(endpoint)) made.push({ prefix: prefixOf(endpoint.path), ids: path.split('/').slice(2, 3) })
  const shown: typeof responses = []
  for (const mark of endpoint.method === 'PATCH' ? [...marks, undefined] : marks) {
    const response = await send(client, endpoint, path, mark)
    const { id } = response.body
    if (!takesId(endpoint) && typeof id === 'string')
      made.push({ prefix: `${endpoint.path}/{id}`, ids: [id] })
    if (client === few) shown.push([routeOf(endpoint), response])
  }
  return shown
}

/**
 * Sends marks in all members that take free text. Retries without the members that are rejected, which name something
 * or have a format.
 */
async function send(client: Client, endpoint: Endpoint, path: string, mark: Mark | undefined) {
  const formal = new Set<string>()
  for (;;) {
    const members = mark === undefined ? emptied(endpoint, formal) : markedMembers(endpoint, mark, formal)
    const body = { ...bodyFor(endpoint), ...members }
    await readyAgain(endpoint, path)
    const response = await client.request(endpoint.method, path, { body })
    if (response.status < 300) return response
    // No marked person has consented to texts, and no marked template is approved.
    const named = response.status === 422 ? ['to', 'template'] : pathsOf(response)
    const rejected = named.filter((at) => !formal.has(at))
    expect(rejected, `${routeOf(endpoint)} → ${response.status}`).not.toEqual([])
    for (const at of rejected) formal.add(at)
  }
}

const leaksIn = (value: unknown) => leak.exec(JSON.stringify(value))?.[0]

test('published events contain no unmasked phone number or email address', async () => {
  const events = await asOwner<{ name: string; data: object; body: string | null }>(
    app.databaseUrl,
    `select e.name, e.data, p.body from events e left join webhook_payloads p
       on p.workspace_id = e.workspace_id and p.event_id = e.id where e.workspace_id = $1`,
    [workspace.id],
  )
  const published = events.filter(({ name }) => (app.runtime.eventTypes.get(name)?.scope ?? null) !== null)
  expect(published.filter(leaksIn)).toEqual([])
  const masked = published.filter((event) => mask.test(JSON.stringify(event.data))).map(({ name }) => name)
  expect(masked).toEqual(
    expect.arrayContaining(['contact.created', 'contact.updated', 'contact.tag_added', 'lead.created']),
  )
  expect(published.filter(({ body }) => body === null)).toEqual([])
})

test('without contacts:read:pii, responses to writes show no phone number or email address', () => {
  expect(responses.filter(([, { body }]) => leaksIn(body))).toEqual([])
})

/** Values that contain a mask, for a member with this schema. */
const masksFor = ({ type, 'x-masked': way }: Schema) => {
  const text = way === 'phone' ? '+1******7188' : 'Ada m***@reyes.example'
  if ([type].flat().includes('array')) return [[text]]
  if ([type].flat().includes('object')) return [{ [text]: 1 }, { a: [{ b: text }] }]
  return way === 'email' ? ['m***@reyes.example'] : [text, text.replace(' ', '%20'), '+1******7188']
}
const changes = writes.filter((each) => maskedMembers(each).length > 0)
test.each(changes)(
  'without contacts:read:pii, $method $path rejects text that contains a masked value',
  async (endpoint) => {
    const path = await pathToNew(endpoint, all)
    const masks = maskedMembers(endpoint).flatMap(([at, schema]) =>
      masksFor(schema).map((one) => [at, one] as const),
    )
    await expectRejected(app, 400, masks, ([at, value]) =>
      few.request(endpoint.method, path, { body: withValue(orNotFound(bodyFor(endpoint)), at, value) }),
    )
  },
)

test.each(reads)(
  'without contacts:read:pii, $method $path shows no phone number or email address',
  async (endpoint) => {
    app.clock.advance(60_000)
    const marked = made
      .filter(({ prefix }) => takesId(endpoint) && prefix === prefixOf(endpoint.path))
      .map(({ ids }) => pathTo(endpoint, ids))
    const paths = new Set(marked.length > 0 ? marked : [await pathToNew(endpoint, all)])
    for (const path of paths) {
      const { status, body } = await few.get(endpoint.list === undefined ? path : `${path}?limit=100`)
      expect([path, leaksIn(body)]).toEqual([path, undefined])
      // The decisions on a lead that the credential captured are withheld, and its events hidden.
      expect(path.startsWith('/events/') ? [200, 403, 404] : [200, 403], path).toContain(status)
    }
  },
)
