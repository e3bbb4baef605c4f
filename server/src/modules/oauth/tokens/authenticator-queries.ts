import { Type } from 'typebox'
import type { DirectoryDb } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { type CredentialLookup, lookupColumns } from '#kernel/http/authentication.ts'
import { countRequests } from '../../access/public.ts'

const TokenRow = Type.Object({
  ...lookupColumns,
  grant_id: Type.String(),
  app_id: Type.String(),
  app_name: Type.String(),
  workspace_id: Type.String(),
  token_scopes: Type.Array(Type.String()),
  grant_scopes: Type.Array(Type.String()),
  app_scopes: Type.Array(Type.String()),
})

/**
 * Authenticates a batch of access tokens in one statement: reads the token, family, grant and app, and counts the
 * requests per app and workspace. Tokens that share a counter each get their own part of its range.
 */
export const authenticateAccessTokens = (
  authenticator: DirectoryDb,
  { hashes, requests, now, windowStart }: CredentialLookup,
) =>
  authenticator.many(TokenRow)`
  with known as materialized (
    select asked.place, asked.requests, g.id as grant_id, a.id as app_id, a.name as app_name, g.workspace_id,
      a.id || ' ' || g.workspace_id as counter, t.scopes as token_scopes, g.scopes as grant_scopes,
      a.scopes as app_scopes,
      t.revoked_at is not null or f.revoked_at is not null or g.revoked_at is not null or a.disabled_at is not null
        or a.deleted_at is not null as revoked,
      t.expires_at <= ${now} as expired,
      g.last_used_at is null or g.last_used_at < ${now}::timestamptz - interval '1 minute' as unrecorded
    from unnest(${hashes}::bytea[], ${requests}::integer[]) with ordinality as asked (hash, requests, place)
    join oauth_access_tokens t on t.hash = asked.hash
    join oauth_families f on f.id = t.family_id
    join oauth_grants g on g.id = f.grant_id
    join oauth_apps a on a.id = g.app_id
  ), valid as (
    select place, counter, requests,
      sum(requests) over (partition by counter order by place desc) - requests as behind
    from known where not revoked and not expired
  ), counted as (${countRequests(sql`
    select counter, ${windowStart}, sum(requests)::integer from valid group by counter order by counter`)}
  )
  select place, grant_id, app_id, app_name, workspace_id, token_scopes, grant_scopes, app_scopes, expired, revoked, unrecorded,
    (used - behind)::integer as used, window_start
  from known left join valid using (place) left join counted on counted.credential_id = valid.counter`
