import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import type { Fixtures } from '#test/support/fixtures.ts'

/** Adds a logged request to the client's workspace. Returns its ID. */
async function insert({ workspace }: Client): Promise<string> {
  const [row] = await asOwner<{ id: string }>(
    await workerDatabase(),
    `insert into requests (workspace_id, id, method, path, status, ms, credential_type, credential_id, ip, error_code,
       subjects, created_at, updated_at)
     select $1, 'c' || left(md5($1), 14) || lpad(count(*)::text, 10, '0'), 'POST', '/v1/leads', 400, 12, 'api_key', $1, '203.0.113.7',
       'validation_failed', '{}', now(), now() from requests where workspace_id = $1 returning id`,
    [workspace?.id],
  )
  return row?.id ?? ''
}

export const fixtures: Fixtures = {
  records: { '/requests/{id}': async (agent) => [await insert(agent)] },
  lists: { '/requests': { insert } },
}
