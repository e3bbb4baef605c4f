import type { Endpoint } from '#kernel/http/endpoint.ts'
import { querySchema } from '#kernel/http/query-string.ts'
import type { TestWorkspace } from '#test/support/app.ts'
import type { Client, Response } from '#test/support/client.ts'
import type { TestClock } from '#test/support/clock.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { createOffice, createTeam } from '../../src/modules/workspaces/public.ts'
import type { Schema } from './hostile-values.ts'

/** The id of what was made. A refusal would only puzzle further on. */
function idOf({ status, body }: Response): string {
  if (status > 299) throw new Error(`Nothing was made: ${status} ${JSON.stringify(body)}`)
  return body['id']
}

/** The member of the bodies' examples. */
const claimant = 'cmi8h2k5p0000y7w2d5g8j1m4'

/** A lead with a decision and a consent, which the member of the examples may claim. */
async function lead(agent: Client): Promise<string> {
  const id = idOf(await agent.post('/leads', { phone: '+13125550123', source: 'Website', consent: {} }))
  const url = await workerDatabase()
  await asOwner(
    url,
    `insert into members (workspace_id, id, name, email, role, active, created_at, updated_at)
     select workspace_id, $2, 'A claimant', 'claimant@gable.example', 'agent', true, created_at, created_at
     from leads where id = $1 on conflict do nothing`,
    [id, claimant],
  )
  const offer = () =>
    asOwner(
      url,
      `update leads set assignee_id = null, status = 'new', waits_for = 'pond', offered_to = array[$2] where id = $1`,
      [id, claimant],
    )
  await offer()
  await agent.post(`/leads/${id}/assign`, { assignee_id: claimant })
  await offer()
  return id
}

const webhook = async (agent: Client) =>
  idOf(await agent.post('/webhooks', { url: 'https://hooks.example.com/gable' }))

const delivery = async (agent: Client, of: string) => idOf(await agent.post(`/webhooks/${of}/test`))

/** Only what is over can be sent again, and only a worker that sends brings that about. */
const endDelivery = async (id: string) =>
  asOwner(await workerDatabase(), "update webhook_deliveries set status = 'failed' where id = $1", [id])

/** How a record is made whose ids a path takes; answers them in the path's order. A new prefix wants a line here. */
const records: Record<string, (agent: Client) => Promise<string[]>> = {
  '/contacts/{id}': async (agent) => {
    const id = idOf(await agent.post('/contacts', { first_name: 'Ada', phone: '+13125550123' }))
    await agent.post(`/contacts/${id}/notes`, { body: 'Prefers mornings.' })
    await agent.post(`/contacts/${id}/notes`, { body: 'Call first.' })
    return [id]
  },
  '/leads/{id}': async (agent) => [await lead(agent)],
  '/webhooks/{id}': async (agent) => {
    const id = await webhook(agent)
    for (let i = 0; i < 2; i++) await delivery(agent, id)
    return [id]
  },
  '/webhooks/{id}/deliveries/{delivery_id}': async (agent) => {
    const id = await webhook(agent)
    const of = await delivery(agent, id)
    await endDelivery(of)
    return [id, of]
  },
}

/** What must be done to a record before the same can be asked of it again; the last of the path's ids is given. */
const readied: Record<string, (id: string) => Promise<unknown>> = {
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': endDelivery,
}

/** How something is made that a member of a body may name. A new reference wants a line here. */
const referents: Record<string, (workspace: TestWorkspace) => Promise<string>> = {
  owner_id: async (workspace) => (await workspace.member()).id,
  contact_id: async (workspace) => idOf(await (await workspace.credential()).post('/contacts')),
  office_id: async ({ ctx }) => (await createOffice(ctx, 'An office')).id,
  team_id: async ({ ctx }) => (await createTeam(ctx, 'A team', null)).id,
  assignee_id: async (workspace) => (await workspace.member()).id,
  member_id: async (workspace) => (await workspace.member()).id,
}

const prefixOf = (path: string) => path.slice(0, path.lastIndexOf('}') + 1)

export const takesId = ({ path }: Endpoint) => path.includes('{')

/** Makes one record of each kind that paths name. Answers their ids by the beginning of the path. */
export async function makeRecords(agent: Client): Promise<ReadonlyMap<string, string[]>> {
  const made = Object.entries(records).map(async ([prefix, make]) => [prefix, await make(agent)] as const)
  return new Map(await Promise.all(made))
}

/** The endpoint's path with a new record's ids in it. */
export async function pathToNew(endpoint: Endpoint, agent: Client): Promise<string> {
  if (!takesId(endpoint)) return endpoint.path
  const make = records[prefixOf(endpoint.path)]
  if (make === undefined) throw new Error(`No record is made for ${endpoint.path}.`)
  return pathTo(endpoint, await make(agent))
}

/** Readies the record that the path names for being asked the same once more, where that takes anything. */
export async function readyAgain({ method, path }: Endpoint, made: string): Promise<void> {
  const at = path.split('/').findLastIndex((segment) => segment.startsWith('{'))
  await readied[`${method} ${path}`]?.(made.split('/')[at] ?? '')
}

/** The endpoint's path with these ids in it, or with one id wherever it takes any. */
export function pathTo({ path }: Endpoint, ids: string | readonly string[]): string {
  const left = typeof ids === 'string' ? [] : [...ids]
  return path.replaceAll(/\{\w+\}/g, () => (typeof ids === 'string' ? ids : (left.shift() ?? '')))
}

/** The endpoint's path with the ids of one of the records in it. */
export function pathWithin(endpoint: Endpoint, made: ReadonlyMap<string, string[]>): string {
  return takesId(endpoint) ? pathTo(endpoint, idsWithin(endpoint, made)) : endpoint.path
}

/** The ids of one of the records that the endpoint's path names. */
export function idsWithin({ path }: Endpoint, made: ReadonlyMap<string, string[]>): string[] {
  const ids = made.get(prefixOf(path))
  if (ids === undefined) throw new Error(`No record is made for ${path}.`)
  return ids
}

export function makeReferent(name: string, workspace: TestWorkspace): Promise<string> {
  const make = referents[name]
  if (make === undefined) throw new Error(`Nothing is made that ${name} may name.`)
  return make(workspace)
}

/** A valid body, as the schema's own example shows it; undefined where none is taken. */
export function bodyFor({ method, path, body }: Endpoint): Record<string, unknown> | undefined {
  if (body === undefined) return undefined
  const [example] = (body as { examples?: Record<string, unknown>[] }).examples ?? []
  if (example === undefined) throw new Error(`The body of ${method} ${path} has no example.`)
  return example
}

/** Sends the endpoint's valid request to a path of it. */
export const ask = (
  client: Client,
  endpoint: Endpoint,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> => client.request(endpoint.method, path, { body: bodyFor(endpoint), headers })

const plain = (schema: object): Schema => JSON.parse(JSON.stringify(schema)) as Schema

/** Schemas of a body's members by name. */
export function membersOf({ method, path, body }: Endpoint): [string, Schema][] {
  if (body === undefined) return []
  const { properties } = plain(body)
  if (properties === undefined)
    throw new Error(`The members of the body of ${method} ${path} are not to be seen.`)
  return Object.entries(properties)
}

/** Schemas of the query's parameters by name. */
export const parametersOf = (endpoint: Endpoint): [string, Schema][] =>
  Object.entries(plain(querySchema(endpoint)).properties ?? {})

const groupSize = 25

/**
 * Does the same with each item, some at a time. The clock goes on by a minute a group, so that no key comes near its
 * rate limit. Answers the results in the order of the items.
 */
export async function inGroups<T, R>(
  clock: TestClock,
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = [...items]
  while (waiting.length > 0) {
    clock.advance(60_000)
    results.push(...(await Promise.all(waiting.splice(0, groupSize).map(work))))
  }
  return results
}
