import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import type { Fixtures } from '#test/support/fixtures.ts'

/** Adds a logged request to the client's workspace. Returns its ID. */
async function insert({ workspace }: Client): Promise<string> {
  const [row] = await asOwner<{ id: string }>(
    await workerDatabase(),
    `with next as (
       select 'c' || left(md5($1), 14) || lpad(count(*)::text, 10, '0') as id from request_batches where workspace_id = $1)
     insert into request_batches (workspace_id, id, first_id, requests, error_codes, subjects, created_at, updated_at)
     select $1, id, id, json_build_array(json_build_object('id', id, 'method', 'POST', 'path', '/v1/leads', 'status', 400,
         'ms', 12, 'credential_type', 'api_key', 'credential_id', $1, 'ip', '203.0.113.7', 'error_code', 'validation_failed',
         'created_at', now())),
       '{validation_failed}', '{}', now(), now() from next returning id`,
    [workspace?.id],
  )
  return row?.id ?? ''
}

export const fixtures: Fixtures = {
  records: { '/requests/{id}': async (agent) => [await insert(agent)] },
  lists: { '/requests': { insert } },
}
