import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, raw, sql } from '#kernel/db/sql.ts'
import type { Page } from '#kernel/http/paging.ts'
import { firstIdAt, timeOfId } from '#kernel/ids.ts'
import { withinCreated } from '#kernel/reach.ts'
import type { LoggedBatch, NewLogged } from './batch.ts'
import { LoggedRow, requestFilters } from './logged-request.ts'

/** The requests of a batch, as rows. */
const asRows = raw(`json_to_recordset(batch.requests) as request (
  id text collate "C", method text, path text, status smallint, ms integer, credential_type text,
  credential_id text collate "C", ip text, error_code text, created_at timestamptz(3), request_body json, response_body json)`)

const columns: Sql =
  raw(`request.id, method, path, status, ms, credential_type, credential_id, ip, error_code,
  request.created_at, request.created_at as updated_at`)

/** A key that sees only what it created sees its own requests. */
const shownTo = (db: Db): Sql => withinCreated(db, sql`credential_id`, empty)

const minuteMs = 60_000
/** Longer than any request takes. Its ID has the time at which it began, and `created_at` is when it ended. */
const longestMs = 10 * minuteMs

/** How far back a list looks at first, and then, as long as it finds too few: a busy minute may fill many pages. */
const spans = [minuteMs, 60 * minuteMs, 24 * 60 * minuteMs, Number.POSITIVE_INFINITY]

/** Newest first. What it costs depends on the filters. */
export async function listRequests(
  db: Db,
  { request_id, ...query }: Static<typeof requestFilters.query>,
  page: Page,
  now: Date,
) {
  const { created_from, created_to, error_code } = query
  const { ids, updated_after } = page.selection
  const named = request_id === undefined ? ids : [request_id.replace(/^req_/, '')]
  const begun = named?.map(timeOfId).filter(Number.isFinite)
  if (begun?.length === 0) return []
  const endedFrom = [created_from, updated_after]
    .flatMap((time) => time ?? [])
    .map((time) => Date.parse(time))
  const earliest = Math.max(0, ...endedFrom.map((time) => time - longestMs), begun ? Math.min(...begun) : 0)
  const latest = Math.min(
    begun ? Math.max(...begun) : Number.POSITIVE_INFINITY,
    page.before === null ? Number.POSITIVE_INFINITY : timeOfId(page.before),
    created_to === undefined ? Number.POSITIVE_INFINITY : Date.parse(created_to),
  )
  const until = Math.min(latest, now.getTime())
  for (const span of named === undefined ? spans : spans.slice(-1)) {
    const since = firstIdAt(Math.max(earliest, until - span))
    const rows = await db.many(LoggedRow)`
      select ${columns} from request_batches batch cross join lateral ${asRows}
      where batch.workspace_id = ${db.workspaceId} and batch.id >= ${since} and request.id >= ${since}
        ${latest === Number.POSITIVE_INFINITY ? empty : sql`and batch.first_id < ${firstIdAt(latest + 1)} and batch.id < ${beyond(latest)}`}
        ${error_code === undefined ? empty : sql`and batch.error_codes <> '{}' and batch.error_codes @> array[${error_code}]`}
        ${request_id === undefined ? empty : sql`and request.id = any (${named})`}
        ${shownTo(db)} ${requestFilters.where(query, 'request')} ${page.keyset('request', sql`request.created_at`)}`
    if (rows.length === page.limit || until - span <= earliest) return rows
  }
  return []
}

/**
 * Above the IDs of all batches with a request that began by then: it ended in time, and the others of its batch began before it
 * was written.
 */
const beyond = (ms: number): string => firstIdAt(ms + 2 * longestMs)

const WithBodiesRow = Type.Intersect([
  LoggedRow,
  Type.Object({ request_body: Type.Unknown(), response_body: Type.Unknown() }),
])

export const findRequest = (db: Db, id: string) =>
  db.maybeOne(WithBodiesRow)`
    select ${columns}, request_body, response_body from request_batches batch cross join lateral ${asRows}
    where batch.workspace_id = ${db.workspaceId} and batch.first_id <= ${id} and batch.id >= ${id}
      and batch.id < ${beyond(timeOfId(id))} and request.id = ${id} ${shownTo(db)}`

/** Writes a batch of requests of the workspace. */
export const insertBatch = (db: Db, { firstId, lastId, texts, errorCodes, subjects, at }: LoggedBatch) =>
  db.run`
    insert into request_batches (workspace_id, id, first_id, requests, error_codes, subjects, created_at, updated_at)
    values (${db.workspaceId}, ${lastId}, ${firstId}, ${`[${texts.join(',')}]`}, ${[...errorCodes]}, ${[...subjects]}, ${at}, ${at})
    on conflict (workspace_id, id) do nothing`

const ErasableRow = Type.Object({
  id: Type.String(),
  requests: Type.Unsafe<NewLogged[]>(Type.Array(Type.Object({}))),
})

/** How many batches an erasure reads at once. Each may have megabytes. */
const mostRead = 10

/** Removes the bodies that name the record. */
export async function eraseBodies(tx: WorkspaceTx, subject: string): Promise<void> {
  for (let after = ''; ;) {
    const batches = await tx.many(ErasableRow)`
      select id, requests from request_batches
      where workspace_id = ${tx.workspaceId} and subjects <> '{}' and subjects && ${[subject]}::text[] and id > ${after}
      order by id limit ${mostRead} for update`
    for (const { id, requests } of batches) {
      const left = requests.map(({ request_body, response_body, subjects = [], ...rest }) =>
        subjects.includes(subject) ? rest : { ...rest, request_body, response_body, subjects },
      )
      tx.write`
        update request_batches set requests = ${JSON.stringify(left)}, subjects = array_remove(subjects, ${subject})
        where workspace_id = ${tx.workspaceId} and id = ${id}`
    }
    const last = batches.at(-1)
    if (last === undefined || batches.length < mostRead) return
    after = last.id
  }
}

/** Deletes up to `limit` batches with IDs below `before`. Returns how many. */
export const deleteOldBatches = (tx: WorkspaceTx, before: string, limit: number) =>
  tx.run`
    delete from request_batches where workspace_id = ${tx.workspaceId} and id in (
      select id from request_batches where workspace_id = ${tx.workspaceId} and id < ${before} order by id limit ${limit})`
