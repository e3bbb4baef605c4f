import { Unauthorized } from '#kernel/http/answer.ts'
import type { CredentialKind } from './credential.ts'
import { noteUse, openDoor } from './queries.ts'
import { expanded } from './scopes.ts'

/** `Authorization: token gbl_key_…`: a workspace's own keys, each with a count of its own. */
export const apiKeys: CredentialKind = {
  scheme: 'Token',
  prefix: 'gbl_key_',
  noun: 'API key',
  limit: 120,
  async open(door, asked) {
    const rows = await openDoor(door, asked)
    return rows.map((row) => ({
      verdict: row,
      principal: {
        credentialId: row.id,
        scheme: 'Token',
        workspaceId: row.workspace_id,
        actor: { type: 'api_key', id: row.id, name: row.name },
        scopes: expanded(row.scopes),
      },
    }))
  },
  noteUse,
  refuse: (message) => Unauthorized(message),
}
