import { expect, test, vi } from 'vitest'
import { queueMail, readMails, retryMail } from '../../src/modules/mail/public.ts'
import { openAnswer } from '../../src/modules/mail/sealed-mail.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner, freshDatabase } from '../support/database.ts'
import { mailServer } from './mail-server.ts'
import { aMail, respondingWith, attempt, queue, rowOf, taken } from './scene.ts'

const dayMs = 24 * 3_600_000

/** The queued jobs of a mail. */
const jobsOf = ({ databaseUrl }: TestApp, id: string) =>
  asOwner(databaseUrl, 'select 1 from graphile_worker._private_jobs where payload::text like $1', [`%${id}%`])

test('an email and its job exist only if the transaction commits', async () => {
  await using app = await testApp()
  const { ctx } = await app.workspace()
  const inWorkspace = (fails: boolean, ids: string[]) =>
    ctx.transaction(async (tx) => {
      ids.push(queueMail(tx, ctx, aMail()))
      await tx.flush()
      if (fails) throw new Error('no')
    })
  const [gone, there]: [string[], string[]] = [[], []]
  await expect(inWorkspace(true, gone)).rejects.toThrow('no')
  await inWorkspace(false, there)
  there.push(await queue(app))
  for (const id of gone) expect([await rowOf(app, id), await jobsOf(app, id)]).toEqual([undefined, []])
  for (const id of there) {
    expect(await rowOf(app, id)).toMatchObject({ state: 'queued', attempts: 0, answer: null })
    expect(await jobsOf(app, id)).toHaveLength(1)
  }
})

test('a worker retries a deferred email and deletes every email that was accepted', async () => {
  await using server = await mailServer({
    rejections: [{ to: 'recipient', code: 451, text: 'come back later' }],
  })
  const smtp = { url: server.url, from: 'gable@brokerage.example' }
  const databaseUrl = await freshDatabase('mail_worker')
  await using app = await testApp({ databaseUrl, role: 'all', smtp })
  const [putOff, other] = [await queue(app), await queue(app, { to: 'eda@lantern.example' })]
  await vi.waitFor(() => expect(server.arrived).toHaveLength(2), 30_000)
  await vi.waitFor(async () => expect(await readMails(app.runtime)).toEqual([]), 30_000)
  expect(server.arrived.map(({ to }) => to[0]).toSorted()).toEqual([
    'ada@lantern.example',
    'eda@lantern.example',
  ])
  expect(server.connections).toBe(3)
  for (const id of [putOff, other])
    await vi.waitFor(async () => expect(await jobsOf(app, id)).toEqual([]), 30_000)
})

test('a rejected email stays with the server’s reply and is not retried; a deferred one is retried', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('mail_states') })
  const rejected = await queue(app)
  await attempt(
    app,
    rejected,
    respondingWith({ kind: 'rejected', answer: '550 No <ada@lantern.example>', code: '550' }),
  )
  const later = await queue(app)
  const busy = respondingWith({ kind: 'later', answer: '451 Busy, ada@lantern.example', code: '451' })
  await expect(attempt(app, later, busy)).rejects.toThrow(`The mail ${later} was not taken (451).`)
  await expect(attempt(app, later, busy)).rejects.toThrow('451')

  const states = (await readMails(app.runtime)).map(({ id, state, attempts, answer }) => [
    id,
    state,
    attempts,
    answer,
  ])
  expect(states).toContainEqual([rejected, 'failed', 1, '550 No <ada@lantern.example>'])
  expect(states).toContainEqual([later, 'queued', 2, '451 Busy, ada@lantern.example'])

  const willing = respondingWith(taken)
  for (const id of [rejected, later, later]) await attempt(app, id, willing)
  expect(willing.asked).toEqual([{ ...aMail(), id: later, writtenAt: app.clock.now() }])
  expect(await rowOf(app, later)).toBeUndefined()
})

test('no transaction is open while an email is being sent', async () => {
  const databaseUrl = await freshDatabase('mail_transactions')
  await using app = await testApp({ databaseUrl })
  const id = await queue(app)
  let open: unknown[] | undefined
  const sendMail = async () => {
    open = await asOwner(
      databaseUrl,
      "select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    )
    return taken
  }
  await attempt(app, id, { sendMail })
  expect(open).toEqual([])
})

test('an email fails permanently after 24 hours, not before', async () => {
  await using app = await testApp()
  const id = await queue(app)
  const busy = respondingWith({ kind: 'later', answer: '451 Busy', code: '451' })
  app.clock.advance(dayMs - 1)
  await expect(attempt(app, id, busy)).rejects.toThrow('451')
  app.clock.advance(1)
  await attempt(app, id, respondingWith(taken))
  const row = await rowOf(app, id)
  expect(row).toMatchObject({ state: 'failed', attempts: 1 })
  expect(openAnswer(app.runtime.keys, id, row?.answer ?? Buffer.alloc(0))).toBe('451 Busy')
})

test('a retry sends a copy of an email with a new id, and never the original again', async () => {
  await using app = await testApp()
  const ids = { failed: await queue(app), caught: await queue(app), queued: await queue(app) }
  await attempt(app, ids.failed, respondingWith({ kind: 'rejected', answer: '550', code: '550' }))
  await attempt(app, ids.caught, {})
  for (const [state, id] of Object.entries(ids)) {
    expect((await rowOf(app, id))?.state).toBe(state)
    app.clock.advance(dayMs)
    const again = await retryMail(app.runtime, id)
    const server = respondingWith(taken)
    for (const one of [id, again]) await attempt(app, one, server)
    expect(server.asked).toEqual([{ ...aMail(), id: again, writtenAt: app.clock.now() }])
    expect([await jobsOf(app, again), await rowOf(app, id), await rowOf(app, again)]).toEqual([
      [expect.anything()],
      undefined,
      undefined,
    ])
    await expect(retryMail(app.runtime, id)).rejects.toThrow(`There is no mail ${id}.`)
  }
})

test('only one of eight concurrent retries of an email succeeds', async () => {
  await using app = await testApp()
  const id = await queue(app)
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => retryMail(app.runtime, id)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
