import { type House, type Tx, createContext } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { hashSecret } from '../access/public.ts'
import type { AppRow } from './app-queries.ts'
import { actorOf } from './client.ts'
import { InvalidGrant, NothingLeft } from './errors.ts'
import { type TokenAnswer, issueTokens } from './issue-tokens.ts'
import { absoluteMs, idleMs, later } from './lifetimes.ts'
import { proves } from './pkce.ts'
import { revokeTokens } from './revoke-tokens.ts'
import { stillAllowed } from './scope-list.ts'
import { type CodeRow, findCode, insertFamily, lockCode, saveExchange } from './token-queries.ts'

export interface CodeExchange {
  code: string
  redirectUri: string
  verifier: string
}

/**
 * Exchanges a code for tokens, once. A request that is wrong in anything leaves it as it was; one that is right, and comes
 * a second time, revokes what the first was given. Throws InvalidGrant; `unknown` says that there is no such code.
 */
export async function exchangeCode(
  house: House,
  app: AppRow,
  exchange: CodeExchange,
): Promise<TokenAnswer | 'unknown'> {
  const hash = hashSecret(exchange.code)
  const code = await findCode(house.database.directory, hash, house.clock.now())
  if (code === undefined) return 'unknown'
  if (!isRight(code, app, exchange)) throw InvalidGrant()
  if (stillAllowed(code.scopes, app).length === 0) throw NothingLeft()
  const ctx = createContext(house, {
    workspaceId: code.workspace_id,
    actor: actorOf(app),
    scopes: new Set(),
  })
  // A replay must stay revoked: the refusal is thrown after the commit.
  const answer = await ctx.transaction(async (tx) => {
    const now = house.clock.now()
    const locked = await lockCode(tx, hash, now)
    if (locked === undefined) return undefined
    if (locked.family_id !== null) {
      await revokeTokens(tx, { ...locked, family_id: locked.family_id, app_name: app.name }, 'code_replayed')
      return undefined
    }
    if (locked.expired || locked.grant_revoked) return undefined
    return openFamily(tx, app, hash, locked, now)
  })
  if (answer === undefined) throw InvalidGrant()
  return answer
}

const isRight = (code: CodeRow, app: AppRow, { redirectUri, verifier }: CodeExchange) =>
  code.app_id === app.id && code.redirect_uri === redirectUri && proves(verifier, code.challenge)

function openFamily(tx: Tx, app: AppRow, hash: Buffer, code: CodeRow, now: Date): TokenAnswer {
  const { confidential } = app
  const familyId = newId(now)
  const absolute = absoluteMs(confidential)
  const endsAt = absolute === undefined ? null : later(now, absolute)
  const expiresAt = later(now, idleMs(confidential))
  tx.write(
    insertFamily({ id: familyId, grantId: code.grant_id, scopes: code.scopes, expiresAt, endsAt }, now),
  )
  tx.write(saveExchange(hash, familyId))
  const scopes = stillAllowed(code.scopes, app)
  return issueTokens(tx, { familyId, scopes, endsAt, refreshable: true }, now)
}
