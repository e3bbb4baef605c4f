import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import { type Asked, verdictColumns } from './credential.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

export const ApiKeyRow = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  scopes: Type.Array(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
  expires_at: nullable,
  revoked_at: nullable,
  last_used_at: nullable,
})
export type ApiKeyRow = Static<typeof ApiKeyRow>

const columns = sql`id, workspace_id, name, prefix, scopes, created_at, updated_at, expires_at, revoked_at, last_used_at`

export const insertApiKey = (directory: Queries, key: ApiKeyRow, hash: Buffer) =>
  directory.run(sql`
    insert into api_keys (${columns}, hash)
    values (${key.id}, ${key.workspace_id}, ${key.name}, ${key.prefix}, ${key.scopes}, ${key.created_at},
      ${key.updated_at}, ${key.expires_at}, ${key.revoked_at}, ${key.last_used_at}, ${hash})`)

export const listApiKeys = (directory: Queries, workspaceId: string) =>
  directory.many(
    ApiKeyRow,
    sql`
    select ${columns} from api_keys where workspace_id = ${workspaceId} order by id desc limit 1000`,
  )

/** Whosever it is, also of one that was revoked. */
export const findApiKey = (directory: Queries, id: string) =>
  directory.maybeOne(ApiKeyRow, sql`select ${columns} from api_keys where id = ${id}`)

/** Answers the key as it is now; one that was revoked before keeps its time. */
export const revokeApiKey = (directory: Queries, workspaceId: string, id: string, at: Date) =>
  directory.maybeOne(
    ApiKeyRow,
    sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${at}), updated_at = coalesce(revoked_at, ${at})
    where id = ${id} and workspace_id = ${workspaceId} returning ${columns}`,
  )

/** Length of a rate window. */
export const windowSeconds = 60

const CredentialRow = Type.Object({
  ...verdictColumns,
  id: Type.String(),
  name: Type.String(),
  workspace_id: Type.String(),
  scopes: Type.Array(Type.String()),
})

/**
 * Counts requests in the running window. `asked` selects counter, window and number of requests, each counter once and in
 * their order, so that two instances' batches never wait for each other in a circle. Answers `credential_id`, the counter,
 * with `used`, where its count now stands, and `window_start`.
 *
 * A window never goes back: an instance whose clock is behind counts in the newer one, as long as that is the next; one
 * further ahead is a clock gone wrong, and believing it would lock the credential out until then.
 */
export const countRequests = (asked: Sql) => sql`
    insert into rate_windows as present (credential_id, window_start, used)
    ${asked}
    on conflict (credential_id) do update set
      used = excluded.used +
        case when present.window_start between excluded.window_start and excluded.window_start + ${windowSeconds}::bigint
        then present.used else 0 end,
      window_start =
        case when present.window_start between excluded.window_start and excluded.window_start + ${windowSeconds}::bigint
        then present.window_start else excluded.window_start end
    returning credential_id, window_start, used`

/**
 * The whole door in one statement, for many requests at once: reads each API key, checks expiry and revocation, and
 * counts its requests in the running window.
 */
export const openDoor = (door: Queries, { hashes, requests, now, windowStart }: Asked) =>
  door.many(
    CredentialRow,
    sql`
  with known as materialized (
    select asked.place, asked.requests, k.id, k.name, k.workspace_id, k.scopes,
      k.revoked_at is not null as revoked,
      coalesce(k.expires_at <= ${now}, false) as expired,
      k.last_used_at is null or k.last_used_at < ${now}::timestamptz - interval '1 minute' as unnoted
    from unnest(${hashes}::bytea[], ${requests}::integer[]) with ordinality as asked (hash, requests, place)
    join api_keys k on k.hash = asked.hash
  ), counted as (${countRequests(sql`
    select id, ${windowStart}, requests from known where not revoked and not expired order by id`)}
  )
  select place, id, name, workspace_id, scopes, expired, revoked, unnoted, used, window_start
  from known left join counted on counted.credential_id = known.id`,
  )

/** Notes that credentials are in use; those that another instance is noting are left to it. */
export const noteUse = (directory: Queries, ids: string[], now: Date) =>
  directory.run(sql`
    update api_keys set last_used_at = ${now}
    where id in (
      select id from api_keys
      where id = any (${ids}) and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')
      for update skip locked)`)
