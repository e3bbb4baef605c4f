import { type CredentialKind, expanded } from '../access/public.ts'
import { openTokenDoor } from './door-queries.ts'
import { InvalidToken } from './errors.ts'
import { noteGrantUse } from './grant-queries.ts'

/**
 * `Authorization: Bearer gbl_at_…`: an app that acts for a workspace, counted for each app and workspace. It may do what
 * its token and the grant allow and the app may still ask for; Idempotency-Keys are the grant's, since tokens change by the hour.
 */
export const accessTokens: CredentialKind = {
  scheme: 'Bearer',
  prefix: 'gbl_at_',
  noun: 'access token',
  limit: 300,
  async open(door, asked) {
    const rows = await openTokenDoor(door, asked)
    return rows.map((row) => ({
      verdict: row,
      principal: {
        credentialId: row.grant_id,
        scheme: 'Bearer',
        workspaceId: row.workspace_id,
        actor: { type: 'oauth_app', id: row.app_id, name: row.app_name },
        scopes: expanded(row.token_scopes)
          .intersection(expanded(row.grant_scopes))
          .intersection(expanded(row.app_scopes)),
      },
    }))
  },
  noteUse: noteGrantUse,
  refuse: (message) => InvalidToken(message),
}
