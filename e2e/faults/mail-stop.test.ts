import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { jobsSchema } from '@gable/server/src/kernel/jobs/migrate-jobs.ts'
import { readMails } from '@gable/server/src/modules/mail/public.ts'
import { sendMailJob } from '@gable/server/src/modules/mail/queue-mail.ts'
import { mailServer } from '@gable/server/test/mail/mail-server.ts'
import { queue } from '@gable/server/test/mail/scene.ts'
import { testApp, appSecret } from '@gable/server/test/support/app.ts'
import { asOwner, freshDatabase } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { spawnGable } from './gable-process.ts'

vi.setConfig({ testTimeout: 180_000 })

test('on SIGTERM, emails in progress are sent once, no others start, and no job stays locked', async () => {
  const databaseUrl = await freshDatabase('mail_stop')
  await using app = await testApp({ databaseUrl, now: new Date() })
  const sent: string[] = []
  const gate = Promise.withResolvers<void>()
  await using server = await mailServer({
    onData(stream, { envelope }, done) {
      const take = async () => {
        sent.push(envelope.rcptTo[0]?.address ?? '')
        await gate.promise
        done(null)
      }
      text(stream).then(take, done)
    },
  })
  const smtp = { SMTP_URL: server.url, MAIL_FROM: 'gable@brokerage.example' }
  const env = { DATABASE_URL: databaseUrl, APP_SECRET: appSecret, ...smtp }
  await using gable = spawnGable({ ...env, ROLE: 'worker' })
  for (let i = 0; i < 7; i++) await queue(app, { to: `person${i}@lantern.example` })
  // A worker runs four jobs at a time.
  await gable.until(() => sent.length === 4)
  // As a whole minute would.
  await asOwner(databaseUrl, `select ${jobsSchema}.add_job('maintain-mails', '{}'::json)`)

  gable.kill('SIGTERM')
  await gable.until(() => gable.stderr().includes('"stopping"'))
  await sleep(200)
  gate.resolve()
  expect(await gable.exit).toEqual({ code: 0, signal: null })
  expect([sent.length, new Set(sent).size]).toEqual([4, 4])
  expect((await readMails(app.runtime)).map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
  const jobs = await asOwner(
    databaseUrl,
    `select attempts, locked_at from ${jobsSchema}._private_jobs
     where task_id in (select id from ${jobsSchema}._private_tasks where identifier = $1)`,
    [sendMailJob],
  )
  const waiting = { attempts: 0, locked_at: null }
  expect(jobs).toEqual([waiting, waiting, waiting])
})
