import type { CredentialKind } from '#kernel/http/authentication.ts'
import { expanded } from '../../access/public.ts'
import { InvalidToken } from '../errors.ts'
import { recordGrantUse } from '../grants/queries.ts'
import { authenticateAccessTokens } from './authenticator-queries.ts'

/**
 * `Authorization: Bearer gbl_at_…`: an app that acts for a workspace, with a rate limit per app and workspace. Its
 * scopes are those that the token, the grant and the app have in common. Idempotency keys belong to the grant, because
 * tokens change every hour.
 */
export const accessTokens: CredentialKind = {
  scheme: 'Bearer',
  prefix: 'gbl_at_',
  noun: 'access token',
  limit: 300,
  async find(authenticator, asked) {
    const rows = await authenticateAccessTokens(authenticator, asked)
    return rows.map((row) => ({
      status: row,
      counter: `${row.app_id} ${row.workspace_id}`,
      principal: {
        credentialId: row.grant_id,
        scheme: 'Bearer',
        workspaceId: row.workspace_id,
        actor: { type: 'oauth_app', id: row.app_id, name: row.app_name },
        scopes: expanded(row.token_scopes)
          .intersection(expanded(row.grant_scopes))
          .intersection(expanded(row.app_scopes)),
        reach: 'all',
      },
    }))
  },
  recordUse: recordGrantUse,
  rejection: (message) => InvalidToken(message),
}
