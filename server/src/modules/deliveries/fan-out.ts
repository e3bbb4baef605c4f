import { payloadText } from '#kernel/events/payload.ts'
import { onEvery } from '#kernel/subscription.ts'
import { fanOut } from './queries.ts'

/** Writes the deliveries of an event in the transaction that emits it, so that neither exists without the other. */
export const fanOutEvents = onEvery((tx, row, { scope }) => {
  if (scope === null) return
  fanOut(tx, {
    event: row.name,
    scope,
    eventId: row.id,
    at: row.occurred_at,
    body: payloadText(tx.workspaceId, row),
    hiddenFrom: row.hidden_from,
    causedBy: row.actor.id,
    ...('app_id' in row.data ? { appId: row.data['app_id'] as string | null } : {}),
  })
})
