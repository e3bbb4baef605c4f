import { expect, test, vi } from 'vitest'
import { openHouse } from '../../src/app.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { queueMail, readMail } from '../../src/modules/mail/public.ts'
import { startGable } from '../faults/gable-process.ts'
import { freshDatabase } from '../support/database.ts'
import { aMail } from './scene.ts'

vi.setConfig({ testTimeout: 90_000 })

const secret = 'a secret that only the tests know, long enough'

test('off a terminal standard error stays a log: the page of a trapped mail is in it, and no link', async () => {
  const databaseUrl = await freshDatabase('mail_process')
  await using gable = await startGable({ DATABASE_URL: databaseUrl, APP_SECRET: secret, LOG_LEVEL: 'trace' })
  const house = openHouse({
    databaseUrl,
    appSecrets: [secret],
    clock: systemClock,
    log: createLog('silent'),
    checkRows: true,
    egress: { allowHttp: 'none', allowPrivate: 'none' },
  })
  await using _database = house.database
  await using _egress = house.egress
  const text = `Hello Ada\n\n${gable.origin}/welcome?token=gbl_welcome_7f3QzYxW\n`
  const id = await house.database.transaction('', async (tx) => queueMail(tx, house, aMail({ text })))
  const trap = gable.ready.mail_url ?? ''
  await gable.until(() => gable.stderr().includes('a mail is in the trap'))
  expect((await readMail(house, id))?.state).toBe('trapped')
  expect(await (await fetch(`${trap}/${id}`)).text()).toContain(
    `href="${gable.origin}/welcome?token=gbl_welcome_7f3QzYxW"`,
  )
  gable.kill('SIGTERM')
  await gable.exit
  const lines = gable.stderr().split('\n').slice(0, -1)
  for (const line of lines) expect(line).toMatch(/^\{.*\}$/)
  for (const said of ['gbl_welcome', 'ada@lantern.example'])
    expect(gable.stderr() + gable.stdout()).not.toContain(said)
  expect(gable.stderr()).not.toContain(trap)
})
