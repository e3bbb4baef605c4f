import { orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Client } from '../support/client.ts'
import { asOwner, workerDatabase } from '../support/database.ts'

/** When an id was made. */
const timeOf = (id: string) => new Date(Number.parseInt(id.slice(1, 9), 36))

/** Adds a new contact that waits in a backfill, or in the campaign of that id. Returns the id of its place there. */
export async function insertWaiting({ workspace }: Client, backfill: string): Promise<string> {
  const url = await workerDatabase()
  const [latest] = await asOwner<{ id: string }>(
    url,
    'select max(id) as id from backfill_contacts where backfill_id = $1',
    [backfill],
  )
  const at = new Date(timeOf(latest?.id ?? backfill).getTime() + 1)
  const [id, contact] = [newId(at), newId(at)]
  const values = [orNotFound(workspace).id, contact]
  await asOwner(
    url,
    `insert into contacts (workspace_id, id, stage, tags, ai_auto_response, search_names, search_details, created_at, updated_at)
     values ($1, $2, 'LEAD', '{}', 'active', '', '', now(), now())`,
    values,
  )
  await asOwner(
    url,
    `insert into backfill_contacts (workspace_id, id, backfill_id, contact_id, status, due_at, created_at)
     values ($1, $3, $4, $2, 'waiting', now(), now())`,
    [...values, id, backfill],
  )
  return id
}
