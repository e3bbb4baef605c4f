import { asOwner } from '@gable/server/test/support/database.ts'
import { vi } from 'vitest'

const bounds = { timeout: 30_000, interval: 50 }

/** What has become of a message in the end. Moves time forward for what the killed worker had begun, and for look-ups. */
export async function outcomeOf(url: string, id: string, killedAt: Date): Promise<string> {
  await asOwner(
    url,
    `update outbox set began_at = began_at - interval '21 s' where message_id = $1 and state = 'sending' and began_at <= $2`,
    [id, killedAt],
  )
  let looks = 0
  await vi.waitUntil(async () => {
    // The first look is at what the provider has; if it has nothing, the last one follows. Each begins by moving the next one.
    const looked = await asOwner(
      url,
      `update outbox set due_at = now(), began_at = began_at - $2::interval
       where message_id = $1 and state = 'unknown' and due_at > now() returning 1`,
      [id, looks === 0 ? '0' : '15 min'],
    )
    looks += looked.length
    return (await asOwner(url, 'select from outbox where message_id = $1', [id])).length === 0
  }, bounds)
  const [message] = await asOwner<{ status: string }>(url, 'select status from messages where id = $1', [id])
  return message?.status ?? ''
}
