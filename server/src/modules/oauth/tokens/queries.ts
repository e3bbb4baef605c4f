import { type Static, Type } from 'typebox'
import type { DirectoryDb, DirectoryTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

export interface NewCode {
  hash: Buffer
  grantId: string
  redirectUri: string
  scopes: readonly string[]
  challenge: string
  expiresAt: Date
}

export const insertCode = (tx: DirectoryTx, code: NewCode, now: Date): void =>
  tx.write`
  insert into oauth_codes (hash, grant_id, redirect_uri, scopes, challenge, expires_at, created_at)
  values (${code.hash}, ${code.grantId}, ${code.redirectUri}, ${code.scopes}, ${code.challenge}, ${code.expiresAt},
    ${now})`

const CodeRow = Type.Object({
  grant_id: Type.String(),
  app_id: Type.String(),
  workspace_id: Type.String(),
  redirect_uri: Type.String(),
  scopes: Type.Array(Type.String()),
  challenge: Type.String(),
  expired: Type.Boolean(),
  grant_revoked: Type.Boolean(),
  family_id: nullable,
})
export type CodeRow = Static<typeof CodeRow>

const codeWithGrant = (hash: Buffer, now: Date) => sql`
  select c.grant_id, g.app_id, g.workspace_id, c.redirect_uri, c.scopes, c.challenge, c.expires_at <= ${now} as expired,
    g.revoked_at is not null as grant_revoked, c.family_id
  from oauth_codes c join oauth_grants g on g.id = c.grant_id
  where c.hash = ${hash}`

export const findCode = (directory: DirectoryDb, hash: Buffer, now: Date) =>
  directory.maybeOne(CodeRow)(codeWithGrant(hash, now))

/** Like `findCode`, but locks the code. */
export const lockCode = (tx: DirectoryTx, hash: Buffer, now: Date) =>
  tx.maybeOne(CodeRow)`${codeWithGrant(hash, now)} for update of c`

export const saveExchange = (tx: DirectoryTx, hash: Buffer, familyId: string): void =>
  tx.write`update oauth_codes set family_id = ${familyId} where hash = ${hash}`

export interface NewFamily {
  id: string
  grantId: string
  scopes: readonly string[]
  expiresAt: Date
  endsAt: Date | null
}

export const insertFamily = (tx: DirectoryTx, family: NewFamily, now: Date): void =>
  tx.write`
  insert into oauth_families (id, grant_id, scopes, expires_at, ends_at, created_at)
  values (${family.id}, ${family.grantId}, ${family.scopes}, ${family.expiresAt}, ${family.endsAt}, ${now})`

export const insertRefreshToken = (tx: DirectoryTx, hash: Buffer, familyId: string, now: Date): void =>
  tx.write`
  insert into oauth_refresh_tokens (hash, family_id, created_at) values (${hash}, ${familyId}, ${now})`

export interface NewAccessToken {
  hash: Buffer
  familyId: string
  scopes: readonly string[]
  expiresAt: Date
}

export const insertAccessToken = (tx: DirectoryTx, token: NewAccessToken, now: Date): void =>
  tx.write`
  insert into oauth_access_tokens (hash, family_id, scopes, expires_at, created_at)
  values (${token.hash}, ${token.familyId}, ${token.scopes}, ${token.expiresAt}, ${now})`

const RefreshRow = Type.Object({
  family_id: Type.String(),
  grant_id: Type.String(),
  app_id: Type.String(),
  app_name: Type.String(),
  workspace_id: Type.String(),
  scopes: Type.Array(Type.String()),
  ends_at: nullable,
  expired: Type.Boolean(),
  family_revoked: Type.Boolean(),
  grant_revoked: Type.Boolean(),
  retired: Type.Boolean(),
})
export type RefreshRow = Static<typeof RefreshRow>

const refreshWithFamily = (hash: Buffer, now: Date) => sql`
  select f.id as family_id, f.grant_id, g.app_id, a.name as app_name, g.workspace_id, f.scopes, f.ends_at,
    f.expires_at <= ${now} as expired, f.revoked_at is not null as family_revoked,
    g.revoked_at is not null as grant_revoked, r.retired_at is not null as retired
  from oauth_families f join oauth_refresh_tokens r on r.family_id = f.id
    join oauth_grants g on g.id = f.grant_id join oauth_apps a on a.id = g.app_id
  where r.hash = ${hash}`

export const findRefreshToken = (directory: DirectoryDb, hash: Buffer, now: Date) =>
  directory.maybeOne(RefreshRow)(refreshWithFamily(hash, now))

/** Like `findRefreshToken`, but locks the family, then the token. */
export const lockRefreshToken = (tx: DirectoryTx, hash: Buffer, now: Date) =>
  tx.maybeOne(RefreshRow)`${refreshWithFamily(hash, now)} for update of f, r`

export const retireRefreshToken = (tx: DirectoryTx, hash: Buffer, now: Date): void =>
  tx.write`update oauth_refresh_tokens set retired_at = ${now} where hash = ${hash}`

export const saveFamilyExpiry = (tx: DirectoryTx, id: string, expiresAt: Date): void =>
  tx.write`update oauth_families set expires_at = ${expiresAt} where id = ${id}`

/** Returns 0 if the family was already revoked. */
export const revokeFamily = (tx: DirectoryTx, id: string, now: Date) =>
  tx.run`update oauth_families set revoked_at = ${now} where id = ${id} and revoked_at is null`

const AccessRow = Type.Object({
  family_id: Type.String(),
  app_id: Type.String(),
  app_name: Type.String(),
  workspace_id: Type.String(),
})

export const findAccessToken = (directory: DirectoryDb, hash: Buffer) =>
  directory.maybeOne(AccessRow)`
    select t.family_id, a.id as app_id, a.name as app_name, g.workspace_id
    from oauth_access_tokens t join oauth_families f on f.id = t.family_id
      join oauth_grants g on g.id = f.grant_id join oauth_apps a on a.id = g.app_id
    where t.hash = ${hash}`

/** Returns 0 if the token was already revoked. */
export const revokeAccessToken = (tx: DirectoryTx, hash: Buffer, now: Date) =>
  tx.run`update oauth_access_tokens set revoked_at = ${now} where hash = ${hash} and revoked_at is null`

/** Deletes access tokens and unused codes that expired before `before`, up to `limit` of each. Returns how many in total. */
export const deleteExpired = async (directory: DirectoryDb, before: Date, limit: number): Promise<number> =>
  (await directory.run`
    delete from oauth_access_tokens where hash in (
      select hash from oauth_access_tokens where expires_at < ${before} limit ${limit})`) +
  (await directory.run`
    delete from oauth_codes where hash in (
      select hash from oauth_codes where expires_at < ${before} and family_id is null limit ${limit})`)

/** Deletes up to `limit` families that ended before `before`, with their tokens and codes. Returns how many families. */
export const deleteEnded = (directory: DirectoryDb, before: Date, limit: number) =>
  directory.run`
    delete from oauth_families where id in (
      select id from oauth_families where expires_at < ${before} limit ${limit})`
