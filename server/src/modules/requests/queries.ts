import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, raw, sql } from '#kernel/db/sql.ts'
import type { Page } from '#kernel/http/paging.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { withinCreated } from '#kernel/reach.ts'
import { LoggedRow, requestFilters } from './logged-request.ts'

const columns: Sql = raw(Object.keys(LoggedRow.properties).join(', '))

/** A key that sees only what it created sees its own requests. */
const shownTo = (db: Db): Sql => withinCreated(db, sql`credential_id`, empty)

/** Longer than any request takes. Its ID has the time at which it began, and `created_at` is when it ended. */
const longestMs = 10 * 60_000

/** Newest first. The bound of the ID keeps a list that begins at a time from reading the whole log. */
export const listRequests = (
  db: Db,
  { request_id, ...query }: Static<typeof requestFilters.query>,
  page: Page,
) =>
  db.many(LoggedRow)`
    select ${columns} from requests
    where workspace_id = ${db.workspaceId} ${shownTo(db)} ${requestFilters.where(query)}
      ${query.created_from === undefined ? empty : sql`and id >= ${firstIdAt(Date.parse(query.created_from) - longestMs)}`}
      ${request_id === undefined ? empty : sql`and id = ${request_id.replace(/^req_/, '')}`} ${page.keyset()}`

const WithBodiesRow = Type.Intersect([
  LoggedRow,
  Type.Object({ request_body: Type.Unknown(), response_body: Type.Unknown() }),
])

export const findRequest = (db: Db, id: string) =>
  db.maybeOne(WithBodiesRow)`
    select ${columns}, request_body, response_body from requests
    where workspace_id = ${db.workspaceId} and id = ${id} ${shownTo(db)}`

/** A request to write. The bodies are JSON, without values that describe people. */
export interface NewLogged {
  id: string
  method: string
  path: string
  status: number
  ms: number
  credentialType: string
  credentialId: string
  ip: string
  errorCode: string | null
  requestBody: string | null
  responseBody: string | null
  /** IDs in the bodies, separated by blanks. */
  subjects: string
  at: string
}

export const insertRequests = (tx: WorkspaceTx, all: readonly NewLogged[]) =>
  tx.run`
    insert into requests (workspace_id, id, method, path, status, ms, credential_type, credential_id, ip, error_code,
      request_body, response_body, subjects, created_at, updated_at)
    select ${tx.workspaceId}, one.id, one.method, one.path, one.status, one.ms, one.credential_type, one.credential_id,
      one.ip, one.error_code, one.request_body::json, one.response_body::json, string_to_array(one.subjects, ' '),
      one.at, one.at
    from unnest(
      ${all.map(({ id }) => id)}::text[], ${all.map(({ method }) => method)}::text[],
      ${all.map(({ path }) => path)}::text[], ${all.map(({ status }) => status)}::smallint[],
      ${all.map(({ ms }) => ms)}::integer[], ${all.map(({ credentialType }) => credentialType)}::text[],
      ${all.map(({ credentialId }) => credentialId)}::text[], ${all.map(({ ip }) => ip)}::text[],
      ${all.map(({ errorCode }) => errorCode)}::text[], ${all.map(({ requestBody }) => requestBody)}::text[],
      ${all.map(({ responseBody }) => responseBody)}::text[], ${all.map(({ subjects }) => subjects)}::text[],
      ${all.map(({ at }) => at)}::timestamptz[]
    ) as one (id, method, path, status, ms, credential_type, credential_id, ip, error_code, request_body, response_body,
      subjects, at)
    on conflict (workspace_id, id) do nothing`

/** Removes the bodies that name the record. */
export const eraseBodies = (tx: WorkspaceTx, id: string): void =>
  tx.write`
    update requests set request_body = null, response_body = null, subjects = '{}'
    where workspace_id = ${tx.workspaceId} and subjects <> '{}' and subjects && ${[id]}::text[]`

/** Deletes up to `limit` requests with IDs below `before`. Returns how many. */
export const deleteOldRequests = (tx: WorkspaceTx, before: string, limit: number) =>
  tx.run`
    delete from requests where workspace_id = ${tx.workspaceId} and id in (
      select id from requests where workspace_id = ${tx.workspaceId} and id < ${before} order by id limit ${limit})`
