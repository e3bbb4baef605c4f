import { asOwner } from '#test/support/database.ts'

/** Whoever has had a delivery for longer, where receivers answer at once, will not be heard of again. */
const lostMs = 1500

/** What a worker's names are from, and below. */
export interface Names {
  from: string
  to: string
}

/**
 * As if that much time had gone by for what waits for its retry, for what has been claimed and left lying, and for what
 * workers hold that are gone: retries come after a minute and more, and a hold ends after 20 s. What is in living hands
 * is left alone.
 */
export async function timePasses(url: string, ms: number, gone: readonly Names[] = []): Promise<void> {
  const names = [gone.map(({ from }) => from), gone.map(({ to }) => to)]
  await asOwner(
    url,
    `update webhook_holds h set held_until = held_until - $1 * interval '1 ms'
     from unnest($2::text[], $3::text[]) as gone (name, below)
     where h.held_until > now() and h.worker >= gone.name and h.worker < gone.below`,
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
