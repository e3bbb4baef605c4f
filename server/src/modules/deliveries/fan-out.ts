import { payloadText } from '#kernel/events/payload.ts'
import { onEvery } from '#kernel/events/subscription.ts'
import { fanOut } from './queries.ts'

/** Event and deliveries exist together or not at all: both are written by the transaction of the change. */
export const fanOutEvents = onEvery((tx, row, { scope }) => {
  if (scope === null) return
  fanOut(tx, {
    event: row.name,
    scope,
    eventId: row.id,
    at: row.occurred_at,
    body: payloadText(tx.workspaceId, row),
  })
})
