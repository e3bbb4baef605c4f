import { Type } from 'typebox'
import type { Clock } from '#kernel/clock.ts'
import type { DirectoryDb, WorkspaceTx } from '#kernel/db/handles.ts'
import { sharedNow } from '#kernel/db/shared-now.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { type CredentialLookup, lookupColumns } from '#kernel/http/authentication.ts'
import type { Page } from '#kernel/http/paging.ts'
import { values } from '#kernel/records/columns.ts'
import { type ApiKeyRow, apiKeyRecord } from './api-key.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

const { Row: ApiKey, columns } = apiKeyRecord

export const insertApiKey = (directory: DirectoryDb, row: ApiKeyRow, hash: Buffer) =>
  directory.run`insert into api_keys ${values({ ...row, hash })}`

/** A page of the workspace's keys, newest first; without `page`, the newest 1,000. Includes revoked and expired keys. */
export const listApiKeys = (directory: DirectoryDb, workspaceId: string, page?: Page) =>
  directory.many(ApiKey)`
    select ${columns} from api_keys where workspace_id = ${workspaceId}
    ${page?.keyset() ?? sql`order by id desc limit 1000`}`

/** A key of any workspace, even if it is revoked. */
export const findApiKey = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(ApiKey)`select ${columns} from api_keys where id = ${id}`

/** Returns undefined if the workspace has no such key, or if it is already revoked. */
export const markRevoked = (tx: WorkspaceTx, id: string, at: Date) =>
  tx.maybeOne(ApiKey)`
    update api_keys set revoked_at = ${at}, updated_at = ${at}
    where id = ${id} and workspace_id = ${tx.workspaceId} and revoked_at is null returning ${columns}`

/** Length of a rate window, in seconds. */
export const windowSeconds = 60

/** An expression: the start of the current window, in epoch seconds, by PostgreSQL's clock. */
export const windowStartOf = (clock: Clock): Sql =>
  sql`floor(extract(epoch from ${sharedNow(clock)}) / ${windowSeconds})::bigint * ${windowSeconds}::bigint`

const CredentialRow = Type.Object({
  ...lookupColumns,
  id: Type.String(),
  name: Type.String(),
  workspace_id: Type.String(),
  scopes: Type.Array(Type.String()),
  member_id: nullable,
  created_by_self: Type.Boolean(),
})

/**
 * Counts requests in the current window. `asked` selects the counter, window start and number of requests. It must
 * select each counter once and in ascending order, so that batches of two instances cannot deadlock. Returns
 * `credential_id` (the counter), `used` (its new count) and `window_start`.
 *
 * PostgreSQL's clock begins the windows, so instances whose own clocks differ count in the same one. A window further
 * ahead than the next one comes from a clock that was wrong and is replaced: otherwise it would lock the credential out
 * until that time.
 */
export const countRequests = (asked: Sql, limited = empty) => sql`
    insert into rate_windows as present (credential_id, window_start, used)
    ${asked}
    on conflict (credential_id) do update set
      used = excluded.used +
        case when present.window_start between excluded.window_start and excluded.window_start + ${windowSeconds}::bigint
        then present.used else 0 end,
      window_start =
        case when present.window_start between excluded.window_start and excluded.window_start + ${windowSeconds}::bigint
        then present.window_start else excluded.window_start end
    ${limited}
    returning credential_id, window_start, used`

const CountedRow = Type.Object({ used: Type.Integer(), window_start: Type.Integer() })

/** Counts further requests against a counter, unless they would exceed the limit: undefined. */
export const countWithin = (
  authenticator: DirectoryDb,
  {
    counter,
    requests,
    limit,
    windowStart,
  }: { counter: string; requests: number; limit: number; windowStart: Sql },
) =>
  authenticator.maybeOne(CountedRow)`
  with counted as (${countRequests(
    sql`select ${counter}, ${windowStart}, ${requests}::integer`,
    sql`where case when present.window_start between excluded.window_start and excluded.window_start + ${windowSeconds}::bigint
      then present.used else 0 end + excluded.used <= ${limit}`,
  )})
  select used, window_start from counted`

/**
 * Authenticates a batch of API keys in one statement: reads each key, checks expiry and revocation, and counts its
 * requests.
 */
export const authenticateApiKeys = (
  authenticator: DirectoryDb,
  { hashes, requests, now, windowStart }: CredentialLookup,
) =>
  authenticator.many(CredentialRow)`
  with known as materialized (
    select asked.place, asked.requests, k.id, k.name, k.workspace_id, k.scopes, k.member_id, k.created_by_self,
      k.revoked_at is not null as revoked,
      coalesce(k.expires_at <= ${now}, false) as expired,
      k.last_used_at is null or k.last_used_at < ${now}::timestamptz - interval '1 minute' as unrecorded
    from unnest(${hashes}::bytea[], ${requests}::integer[]) with ordinality as asked (hash, requests, place)
    join api_keys k on k.hash = asked.hash
  ), counted as (${countRequests(sql`
    select id, ${windowStart}, requests from known where not revoked and not expired order by id`)}
  )
  select place, id, name, workspace_id, scopes, member_id, created_by_self, expired, revoked, unrecorded, used, window_start
  from known left join counted on counted.credential_id = known.id`

/** Sets `last_used_at`, at most once a minute. Skips rows that another instance is updating. */
export const recordUse = (directory: DirectoryDb, ids: string[], now: Date) =>
  directory.run`
    update api_keys set last_used_at = ${now}
    where id in (
      select id from api_keys
      where id = any (${ids}) and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')
      for update skip locked)`
