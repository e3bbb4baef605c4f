import { newId } from '@gable/server/src/kernel/ids.ts'
import { keyRing } from '@gable/server/src/kernel/secrets.ts'
import { sealSecret } from '@gable/server/src/modules/webhooks/secret.ts'
import { connected } from '../databases.ts'

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfnWe3Kzbg='

export interface Backlog {
  endpoints: number
  deliveries: number
  origin: string
  appSecret: string
  /** The body of each delivery. */
  body: string
  /** Number of endpoints per workspace. */
  ofWorkspace: number
}

/**
 * Empties the tables and fills them with endpoints and with pending deliveries, distributed evenly over the endpoints
 * in order of their ids.
 */
export async function fillBacklog(url: string, backlog: Backlog): Promise<void> {
  const { endpoints, deliveries, origin, appSecret, body, ofWorkspace } = backlog
  const keys = keyRing([appSecret])
  const now = new Date()
  const rows = Array.from({ length: endpoints }, () => newId(now)).map((id, i) => {
    const workspace = `cbench00000000000000${String(Math.floor(i / ofWorkspace)).padStart(5, '0')}`
    return { workspace, id, sealed: sealSecret(keys, workspace, id, secret) }
  })
  await connected(url, async (client) => {
    await client.query('truncate webhooks, webhook_deliveries, webhook_payloads, webhook_leases')
    await client.query(
      `insert into webhooks (workspace_id, id, url, event_types, scopes, secret, paused, paused_with_app, created_at, updated_at)
       select w, i, $4 || '/' || i, '{}', '{contacts:read}', s, false, false, $5, $5
       from unnest($1::text[], $2::text[], $3::bytea[]) as one (w, i, s)`,
      [
        rows.map((row) => row.workspace),
        rows.map((row) => row.id),
        rows.map((row) => row.sealed),
        origin,
        now,
      ],
    )
    if (deliveries > 0) {
      await client.query(
        `with endpoint as (
           select workspace_id, id, row_number() over (order by id) - 1 as place from webhooks
         ), queued as (
           select workspace_id, endpoint.id as webhook_id,
             'c' || lpad(n::text, 24, '0') as id, 'cevent' || lpad(n::text, 19, '0') as event_id
           from generate_series(0, $1::int - 1) n join endpoint on endpoint.place = n % $2::int
         ), payloads as (
           insert into webhook_payloads (workspace_id, event_id, body)
           select workspace_id, event_id, $4 from queued
         )
         insert into webhook_deliveries (workspace_id, webhook_id, id, event_id, event, scope, status, attempt, due_at,
           attempts, created_at, updated_at)
         select workspace_id, webhook_id, id, event_id, 'contact.created', 'contacts:read', 'pending', 0, $3, '[]', $3, $3
         from queued`,
        [deliveries, endpoints, now, body],
      )
    }
    await client.query('vacuum analyze webhooks, webhook_deliveries, webhook_payloads')
    await client.query('checkpoint')
  })
}
