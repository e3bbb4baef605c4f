import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { createSchedule, queuePeriodic } from './periodic-jobs.ts'

const nothing = async () => undefined

test('a job is due in the minutes that its schedule names', () => {
  const dueAt = createSchedule([
    { name: 'always', cron: '* * * * *', handle: nothing },
    { name: 'hourly', cron: '41 * * * *', handle: nothing },
    { name: 'often', cron: '*/20 * * * *', handle: nothing },
  ])
  expect(dueAt(new Date('2026-03-02T15:41:00Z'))).toEqual(['always', 'hourly'])
  expect(dueAt(new Date('2026-03-02T15:40:00Z'))).toEqual(['always', 'often'])
  expect(dueAt(new Date('2026-03-02T15:42:00Z'))).toEqual(['always'])
})

test('of several processes, one queues a job for a minute; a last execution in the future does not count', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_periodic') })
  await using one = app.runtime.database.across('gable_app')
  await using other = app.runtime.database.across('gable_app')
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000)
  const both = (names: string[], at = minute) =>
    Promise.all([one, other].map((queue) => queuePeriodic(queue, names, at)))
  expect((await both(['a', 'b'])).flat().toSorted()).toEqual(['a', 'b'])
  expect((await both(['a', 'b'])).flat()).toEqual([])
  expect((await both(['a'], new Date(minute.getTime() - 60_000))).flat()).toEqual([])
  await asOwner(
    app.databaseUrl,
    "update graphile_worker._private_known_crontabs set last_execution = now() + interval '3 hours' where identifier = 'a'",
  )
  expect((await both(['a', 'b'])).flat()).toEqual(['a'])
  expect((await both(['a', 'b'])).flat()).toEqual([])
})
