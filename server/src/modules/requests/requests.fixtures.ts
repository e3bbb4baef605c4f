import { newId } from '#kernel/ids.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import type { Fixtures } from '#test/support/fixtures.ts'

/** Adds a logged request to the client's workspace. Returns its ID. */
async function insert({ workspace }: Client): Promise<string> {
  const at = new Date()
  const id = newId(at)
  await asOwner(
    await workerDatabase(),
    `insert into request_batches (workspace_id, id, first_id, requests, error_codes, subjects, created_at, updated_at)
     select $1, $2, $2, json_build_array(json_build_object('id', $2::text, 'method', 'POST', 'path', '/v1/leads', 'status', 400,
         'ms', 12, 'credential_type', 'api_key', 'credential_id', $1::text, 'ip', '203.0.113.7', 'error_code',
         'validation_failed', 'created_at', $3::timestamptz)),
       '{validation_failed}', '{}', $3::timestamptz, $3::timestamptz`,
    [workspace?.id, id, at],
  )
  return id
}

export const fixtures: Fixtures = {
  records: { '/requests/{id}': async (agent) => [await insert(agent)] },
  lists: { '/requests': { insert } },
}
