import { setTimeout as sleep } from 'node:timers/promises'
import type { TObject } from 'typebox'
import { expect, test } from 'vitest'
import type { Database } from '#kernel/db/database.ts'
import { sendMessages } from '../../src/modules/messages/outbox/send-messages.ts'
import { testApp } from '../support/app.ts'

/** A worker looks every 50 ms, and once a second while it is idle. */
const idleMs = 900

test('an idle worker looks again at once if it was woken while it was looking', async () => {
  await using app = await testApp({ role: 'api' })
  const { database } = app.runtime
  let last = Number.POSITIVE_INFINITY
  let woken: number | undefined
  let next: number | undefined
  const watched: Database = {
    ...database,
    across(role, before, wake = () => {}) {
      const queue = database.across(role, before, wake)
      const many: typeof queue.many = (row) => {
        if ('sender_id' in (row as unknown as TObject).properties) {
          const now = performance.now()
          if (woken !== undefined) next ??= now
          else if (now - last > idleMs) {
            woken = now
            wake()
          }
          last = now
        }
        return queue.many(row)
      }
      return { ...queue, many }
    },
  }
  await using _ = await sendMessages({ ...app.runtime, database: watched }, {} as never)
  while (next === undefined) await sleep(10)
  expect(next - (woken ?? 0)).toBeLessThan(idleMs)
})
