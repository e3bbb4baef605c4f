import { newId } from '@gable/server/src/kernel/ids.ts'
import { hashSecret, newSecret, visiblePrefix } from '@gable/server/src/modules/access/secret.ts'
import type { Request } from 'autocannon'
import { connected } from './databases.ts'

/** A contact to request, and an API key of its workspace. */
export interface Target {
  workspaceId: string
  contactId: string
  key: string
}

/**
 * A key allows 120 requests per minute. With this many keys in turn, 20,000 requests per second get no 429. A key is
 * used again only after seconds, as in real life.
 */
const keyCount = 10_000
const targetCount = 40_000

/** Number of contacts on a page of `listFifty`. */
export const pageSize = 50

/**
 * Creates fresh keys and picks random contacts from all workspaces with more than one page of contacts, so large
 * workspaces are picked more often. The keys have just been used, like keys in regular use: their last use is updated
 * once a minute.
 */
export async function prepareTargets(databaseUrl: string, scopes: string[]): Promise<Target[]> {
  return connected(databaseUrl, async (client) => {
    const { rows } = await client.query<{ workspaceId: string; contactId: string }>(
      `select workspace_id as "workspaceId", id as "contactId" from contacts
       where workspace_id in (select workspace_id from contacts group by workspace_id having count(*) > $2)
       order by hashtext(id) limit $1`,
      [targetCount, pageSize],
    )
    const byWorkspace = Map.groupBy(rows, (row) => row.workspaceId)
    const targets = [...byWorkspace].flatMap(([, mine]) => {
      const keys = Array.from({ length: Math.ceil((mine.length * keyCount) / rows.length) }, () =>
        newSecret('gbl_key_'),
      )
      return mine.map((target, i) => ({ ...target, key: keys[i % keys.length] ?? '' }))
    })
    const keys = new Map(targets.map(({ key, workspaceId }) => [key, workspaceId]))
    const now = new Date()
    await client.query(
      `insert into api_keys
         (id, workspace_id, name, hash, prefix, scopes, created_at, updated_at, last_used_at, expires_at)
       select id, workspace_id, 'Bench', hash, prefix, $5, $6, $6, $6, $6::timestamptz + interval '1 day'
       from unnest($1::text[], $2::text[], $3::bytea[], $4::text[]) as k (id, workspace_id, hash, prefix)`,
      [
        [...keys].map(() => newId(now)),
        [...keys.values()],
        [...keys.keys()].map(hashSecret),
        [...keys.keys()].map(visiblePrefix),
        scopes,
        now,
      ],
    )
    return shuffled(targets)
  })
}

/** Removes what earlier runs left behind: keys, their counts, and the contacts that they created. */
export async function clearTraces(databaseUrl: string): Promise<void> {
  await connected(databaseUrl, async (client) => {
    await client.query('delete from api_keys')
    await client.query('truncate rate_windows, request_batches')
    await client.query(
      `delete from events using contacts where contacts.source = $1 and events.workspace_id = contacts.workspace_id
         and events.timeline_id = contacts.id`,
      [createdSource],
    )
    await client.query(
      `delete from contact_points using contacts where contacts.source = $1
         and contact_points.workspace_id = contacts.workspace_id and contact_points.contact_id = contacts.id`,
      [createdSource],
    )
    await client.query('delete from contacts where source = $1', [createdSource])
    await client.query('vacuum analyze')
  })
}

const createdSource = 'Benchmark'

/** Cycles through the requests of a case. Both servers get the same requests, including the credentials. */
export function cycle(
  targets: readonly Target[],
  request: (target: Target, turn: number) => Request,
): () => Request {
  let turn = 0
  return () => {
    const target = targets[turn % targets.length]
    if (target === undefined) throw new Error('There is nothing to ask for.')
    return request(target, turn++)
  }
}

/** The bare server reads the workspace from a header; the product finds it through the key. */
const headers = ({ key, workspaceId }: Target) => ({
  authorization: `token ${key}`,
  'x-workspace-id': workspaceId,
})

export const getOne = (target: Target): Request => ({
  path: `/v1/contacts/${target.contactId}`,
  headers: headers(target),
})

export const listFifty = (target: Target): Request => ({
  path: `/v1/contacts?limit=${pageSize}`,
  headers: headers(target),
})

export const create = (target: Target, turn: number): Request => ({
  method: 'POST',
  path: '/v1/contacts',
  headers: { ...headers(target), 'content-type': 'application/json' },
  body: JSON.stringify({
    first_name: 'Ada',
    last_name: `Reyes ${turn % 1000}`,
    email: `ada.reyes${turn}@example.com`,
    phone: `+131255501${String(turn % 100).padStart(2, '0')}`,
    source: createdSource,
    tags: ['buyer', 'condo'],
  }),
})

/** Shuffles in place. The order is the same in every run. */
function shuffled<T>(items: T[]): T[] {
  let state = 1
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let i = items.length - 1; i > 0; i--) {
    const j = next(i + 1)
    const [a, b] = [items[i], items[j]]
    if (a !== undefined && b !== undefined) [items[i], items[j]] = [b, a]
  }
  return items
}
