import { hash } from 'node:crypto'
import { later } from '#kernel/clock.ts'
import { type Runtime, type Tx, createContext } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { hashSecret } from '../../access/public.ts'
import type { AppRow } from '../apps/app.ts'
import { InvalidGrant, NoScopesLeft } from '../errors.ts'
import { allowedFor } from '../scope-list.ts'
import { actorOf } from './client.ts'
import { type TokenResponseBody, issueTokens } from './issue-tokens.ts'
import { absoluteMs, idleMs } from './lifetimes.ts'
import { type CodeRow, findCode, insertFamily, lockCode, saveExchange } from './queries.ts'
import { revokeTokens } from './revoke-tokens.ts'

/** 43 to 128 unreserved characters (RFC 7636, 4.1). */
export const isVerifier = (text: string) => /^[A-Za-z0-9\-._~]{43,128}$/.test(text)

/** Whether the S256 challenge was derived from this verifier. The challenge is not secret, so a plain comparison is safe. */
const proves = (verifier: string, challenge: string) => hash('sha256', verifier, 'base64url') === challenge

export interface CodeExchange {
  code: string
  redirectUri: string
  verifier: string
}

/**
 * Exchanges a code for tokens, once. An invalid request does not use up the code. A second valid request revokes the
 * tokens of the first. Throws `InvalidGrant` and `NoScopesLeft`; returns `unknown` if the code does not exist.
 */
export async function exchangeCode(
  runtime: Runtime,
  app: AppRow,
  exchange: CodeExchange,
): Promise<TokenResponseBody | 'unknown'> {
  const codeHash = hashSecret(exchange.code)
  const code = await findCode(runtime.database.directory, codeHash, runtime.clock.now())
  if (code === undefined) return 'unknown'
  if (!isRight(code, app, exchange)) throw InvalidGrant()
  if (allowedFor(code.scopes, app).length === 0) throw NoScopesLeft()
  const ctx = createContext(runtime, {
    workspaceId: code.workspace_id,
    actor: actorOf(app),
    scopes: new Set(),
  })
  // The revocation after a replay must be committed, so the error is thrown after the transaction.
  const tokens = await ctx.transaction(async (tx) => {
    const now = runtime.clock.now()
    const locked = await lockCode(tx, codeHash, now)
    if (locked === undefined) return undefined
    if (locked.family_id !== null) {
      await revokeTokens(tx, { ...locked, family_id: locked.family_id, app_name: app.name }, 'code_replayed')
      return undefined
    }
    if (locked.expired || locked.grant_revoked) return undefined
    return createFamily(tx, app, codeHash, locked, now)
  })
  if (tokens === undefined) throw InvalidGrant()
  return tokens
}

const isRight = (code: CodeRow, app: AppRow, { redirectUri, verifier }: CodeExchange) =>
  code.app_id === app.id && code.redirect_uri === redirectUri && proves(verifier, code.challenge)

function createFamily(tx: Tx, app: AppRow, codeHash: Buffer, code: CodeRow, now: Date): TokenResponseBody {
  const { confidential } = app
  const familyId = newId(now)
  const absolute = absoluteMs(confidential)
  const endsAt = absolute === undefined ? null : later(now, absolute)
  const expiresAt = later(now, idleMs(confidential))
  insertFamily(tx, { id: familyId, grantId: code.grant_id, scopes: code.scopes, expiresAt, endsAt }, now)
  saveExchange(tx, codeHash, familyId)
  const scopes = allowedFor(code.scopes, app)
  return issueTokens(tx, { familyId, scopes, endsAt, refreshable: true }, now)
}
