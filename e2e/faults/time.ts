import { asOwner } from '@gable/server/test/support/database.ts'

/** A worker that holds a delivery for longer, although receivers respond immediately, is gone. */
const lostMs = 1500

/** The range of a worker's names. */
export interface Names {
  from: string
  to: string
}

/**
 * Moves time forward for deliveries that wait for a retry, for claims that were abandoned, and for leases of workers that
 * are gone: a retry comes after a minute or more, and a lease ends after 20 s. Claims of running workers are unchanged.
 */
export async function timePasses(url: string, ms: number, gone: readonly Names[] = []): Promise<void> {
  const names = [gone.map(({ from }) => from), gone.map(({ to }) => to)]
  await asOwner(
    url,
    `update webhook_leases h set leased_until = leased_until - $1 * interval '1 ms'
     from unnest($2::text[], $3::text[]) as gone (name, below)
     where h.leased_until > now() and h.worker >= gone.name and h.worker < gone.below`,
    [ms, ...names],
  )
  await asOwner(
    url,
    `update webhook_deliveries d
     set due_at = d.due_at - $1 * interval '1 ms',
       claimed_until = d.claimed_until - $1 * interval '1 ms'
     from (
       select workspace_id, webhook_id, id from webhook_deliveries
       left join unnest($2::text[], $3::text[]) as gone (name, below) on claimed_by >= name and claimed_by < below
       where status = 'pending' and (due_at > now() or claimed_until > now())
         and (claimed_by is null or name is not null or updated_at < $4)
       for update of webhook_deliveries skip locked
     ) waiting
     where (d.workspace_id, d.webhook_id, d.id) = (waiting.workspace_id, waiting.webhook_id, waiting.id)`,
    [ms, ...names, new Date(Date.now() - lostMs)],
  )
}

/** Longer than any delivery ever waits for its next attempt. */
export const longest_ms = 20 * 60_000
