import type { CredentialKind } from '#kernel/http/authentication.ts'
import { Unauthorized } from '#kernel/http/http-errors.ts'
import { reachOfKey } from './api-key.ts'
import { recordUse, authenticateApiKeys } from './queries.ts'
import { expanded } from './scopes.ts'

/** `Authorization: token gbl_key_…`, with a rate limit per key. */
export const apiKeys: CredentialKind = {
  scheme: 'Token',
  prefix: 'gbl_key_',
  noun: 'API key',
  limit: 120,
  async find(authenticator, asked) {
    const rows = await authenticateApiKeys(authenticator, asked)
    return rows.map((row) => ({
      status: row,
      principal: {
        credentialId: row.id,
        scheme: 'Token',
        workspaceId: row.workspace_id,
        actor: { type: 'api_key', id: row.id, name: row.name },
        scopes: expanded(row.scopes),
        reach: reachOfKey(row),
        ...(row.created_by_self && { creator: row.id }),
      },
      memberId: row.member_id,
    }))
  },
  recordUse,
  rejection: (message) => Unauthorized(message),
}
