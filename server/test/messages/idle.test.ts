import type { TObject } from 'typebox'
import { expect, test, vi } from 'vitest'
import type { Database } from '#kernel/db/database.ts'
import { sendMessages } from '../../src/modules/messages/outbox/send-messages.ts'
import { testApp } from '../support/app.ts'

/** A worker looks every 50 ms, and once a second while it is idle. */
const idleMs = 900

test('an idle worker looks again at once if it was woken while it was looking', async () => {
  await using app = await testApp({ role: 'api' })
  const { database } = app.runtime
  let last = Number.POSITIVE_INFINITY
  let isWoken = false
  let shortest = Number.POSITIVE_INFINITY
  const watched: Database = {
    ...database,
    across(role, before, wake = () => {}) {
      const queue = database.across(role, before, wake)
      const many: typeof queue.many = (row) => {
        if ('sender_id' in (row as unknown as TObject).properties) {
          const now = performance.now()
          const passed = now - last
          last = now
          if (isWoken) shortest = Math.min(shortest, passed)
          isWoken = passed > idleMs
          if (isWoken) wake()
        }
        return queue.many(row)
      }
      return { ...queue, many }
    },
  }
  await using _ = await sendMessages({ ...app.runtime, database: watched }, {} as never, {
    save: async () => undefined,
    find: async () => undefined,
  })
  // Not a single time: a busy machine may delay any of its looks.
  await vi.waitFor(() => expect(shortest).toBeLessThan(idleMs), 60_000)
})
