import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'
import { queueMail, readMail } from '@gable/server/src/modules/mail/public.ts'
import { openRuntime } from '@gable/server/src/runtime.ts'
import { aMail } from '@gable/server/test/mail/scene.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { startGable } from './gable-process.ts'

vi.setConfig({ testTimeout: 180_000 })

const secret = 'a secret that only the tests know, long enough'

test('without a terminal, standard error is a JSON log that reports caught mail without its links', async () => {
  const databaseUrl = await freshDatabase('mail_process')
  await using gable = await startGable({ DATABASE_URL: databaseUrl, APP_SECRET: secret, LOG_LEVEL: 'trace' })
  const runtime = openRuntime({
    databaseUrl,
    appSecrets: [secret],
    clock: systemClock,
    log: createLog('silent'),
    checkRows: true,
    egress: { allowHttp: 'none', allowPrivate: 'none' },
  })
  await using _database = runtime.database
  await using _egress = runtime.egress
  const text = `Hello Ada\n\n${gable.origin}/welcome?token=gbl_welcome_7f3QzYxW\n`
  const id = await runtime.database.directory.transaction(async (tx) =>
    queueMail(tx, runtime, aMail({ text })),
  )
  const catcher = gable.ready.mail_url ?? ''
  await gable.until(() => gable.stderr().includes('a mail was caught'))
  expect((await readMail(runtime, id))?.state).toBe('caught')
  expect(await (await fetch(`${catcher}/${id}`)).text()).toContain(
    `href="${gable.origin}/welcome?token=gbl_welcome_7f3QzYxW"`,
  )
  gable.kill('SIGTERM')
  await gable.exit
  const lines = gable.stderr().split('\n').slice(0, -1)
  for (const line of lines) expect(line).toMatch(/^\{.*\}$/)
  for (const said of ['gbl_welcome', 'ada@lantern.example'])
    expect(gable.stderr() + gable.stdout()).not.toContain(said)
  expect(gable.stderr()).not.toContain(catcher)
})
