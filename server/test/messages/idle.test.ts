import { setTimeout as sleep } from 'node:timers/promises'
import type { TObject } from 'typebox'
import { expect, test } from 'vitest'
import type { Database } from '#kernel/db/database.ts'
import { sendMessages } from '../../src/modules/messages/outbox/send-messages.ts'
import { testApp } from '../support/app.ts'

/** With this look, a worker that has found nothing is idle, and looks once a second. */
const looksUntilIdle = 22

test('an idle worker looks again at once if it was woken while it was looking', async () => {
  await using app = await testApp({ role: 'api' })
  const { database } = app.runtime
  const looks: number[] = []
  const watched: Database = {
    ...database,
    across(role, before, wake = () => {}) {
      const queue = database.across(role, before, wake)
      const many: typeof queue.many = (row) => {
        if ('sender_id' in (row as unknown as TObject).properties) looks.push(performance.now())
        if (looks.length === looksUntilIdle) wake()
        return queue.many(row)
      }
      return { ...queue, many }
    },
  }
  await using _ = await sendMessages({ ...app.runtime, database: watched }, {} as never)
  while (looks.length <= looksUntilIdle) await sleep(10)
  const [before = 0, woken = 0, next = 0] = looks.slice(looksUntilIdle - 2)
  expect(woken - before, 'it is idle').toBeGreaterThan(500)
  expect(next - woken).toBeLessThan(500)
})
