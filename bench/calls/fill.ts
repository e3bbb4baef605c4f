import { connected } from '../databases.ts'
import type { Brokerage } from '../records/scene.ts'

/** Ids sort in the order of their numbers. */
export const callId = (n: number) => `c0000000v${String(n).padStart(16, '0')}`
export const contactId = (n: number) => `c0000000c${String(n).padStart(16, '0')}`

/**
 * Fills the workspace with `count` calls with 20,000 contacts, of whom only ids exist. With 100 members, a hundredth
 * belongs to the first member. One in two calls is the AI's, one in three is inbound, and one in 2,000 has yet to be
 * placed.
 */
export const fillCalls = (url: string, { workspaceId, memberIds }: Brokerage, count: number): Promise<void> =>
  connected(url, async (client) => {
    // Load in bulk: rows are not checked against other tables one by one.
    await client.query("set session_replication_role = 'replica'")
    await client.query(
      `insert into calls (workspace_id, id, contact_id, owner_id, direction, handled_by, status, disposition, "from", "to",
         started_at, answered_at, ended_at, duration_seconds, summary, summary_source, content_findings, waits_for_hours, turns,
         attempts, completed_at, created_at, updated_at)
       select $1, 'c0000000v' || lpad(n::text, 16, '0'),
         'c0000000c' || lpad(((hashint4(n) & 2147483647) % 20000)::text, 16, '0'),
         ($2::text[])[1 + (hashint4(n + 1) & 2147483647) % cardinality($2::text[])],
         case when n % 3 = 0 then 'INBOUND' else 'OUTBOUND' end, case when n % 2 = 0 then 'ai' else 'human' end,
         case when n % 2000 = 1 then 'queued' when n % 7 = 0 then 'no_answer' else 'completed' end,
         case when n % 2000 = 1 then null when n % 7 = 0 then 'no_answer' when n % 5000 = 2 then 'wrong_number'
           when n % 50 = 3 then 'appointment_set' else 'interested' end,
         '+13125550188', '+1312' || lpad((2000000 + n % 7000000)::text, 7, '0'), at, at, at, 90,
         'Wants to see the place on Elm Street, and was asked for a day.', 'provider', '[]', false, 0, 0, at, at, at
       from generate_series(1, $3::integer) n, lateral (
         select timestamptz '2026-11-20 15:00:00Z' - ($3 - n) * interval '1 minute' as at) moment`,
      [workspaceId, memberIds, count],
    )
    await client.query('vacuum (analyze) calls')
  })
