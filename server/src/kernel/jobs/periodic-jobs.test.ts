import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { createSchedule, queueMissed, queuePeriodic } from './periodic-jobs.ts'

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

test('minutes that were missed queue a job once, for its last minute, whichever process makes up for them', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_made_up_for') })
  const minute = Math.floor(Date.now() / 60_000)
  const at = (ago: number) => new Date((minute - ago) * 60_000)
  const names = async (missed: number) => {
    await using queue = app.runtime.database.across('gable_app')
    return queueMissed(queue, createSchedule([every, never]), minute - missed, minute)
  }
  const every = { name: 'every', cron: '* * * * *', handle: nothing }
  const never = { name: 'never', cron: `${(at(0).getUTCMinutes() + 30) % 60} * * * *`, handle: nothing }
  expect(await names(3)).toEqual(['every'])
  // Another process was away as long, or shorter.
  for (const missed of [3, 1]) expect(await names(missed)).toEqual([])
  const queued = await asOwner<{ last_execution: Date }>(
    app.databaseUrl,
    `select last_execution from graphile_worker._private_known_crontabs where identifier = 'every'`,
  )
  expect(queued).toEqual([{ last_execution: at(0) }])
  const jobs = await asOwner(app.databaseUrl, 'select from graphile_worker._private_jobs')
  expect(jobs).toHaveLength(1)
})
