import { setTimeout as sleep } from 'node:timers/promises'
import { startImap } from '@gable/sandbox/email/imap-server.ts'
import { createMailboxes } from '@gable/sandbox/email/mailboxes.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { newDatabase } from './databases.ts'
import type { GableProcess } from './gable-process.ts'
import { holdRow } from './held-row.ts'
import { newKeys } from './keys.ts'
import { type MailboxLine, openMailboxLine } from './mailbox-line.ts'
import { connectMail, office, startMailWorker } from './mailing.ts'

/** `GABLE_FAULT_ROUNDS` sets their number. */
const rounds = Number(process.env['GABLE_FAULT_ROUNDS'] ?? 1)
vi.setConfig({ testTimeout: 120_000 + rounds * 150_000 })

const bounds = { timeout: 30_000, interval: 50 }
const strikes = ['SIGKILL', 'SIGSTOP'] as const
const mailsPerStrike = 3

interface Scene {
  url: string
  line: MailboxLine
  start: () => Promise<GableProcess>
}
type Strike = (worker: GableProcess) => Promise<void>

/** Strikes the worker when it sends a command. */
const atCommand =
  (command: RegExp) =>
  async ({ line, start }: Scene, strike: Strike) => {
    const held = line.hold(command)
    const worker = await start()
    const release = await held
    await strike(worker)
    release()
    return worker
  }

/** Strikes the worker when it waits for a row. */
const atRow =
  (statement: string) =>
  async ({ url, start }: Scene, strike: Strike) => {
    await using row = await holdRow(url, statement)
    const worker = await start()
    await row.isWaitedFor()
    await strike(worker)
    return worker
  }

const moments: Record<string, (scene: Scene, strike: Strike) => Promise<GableProcess>> = {
  'while it signs in': atCommand(/ LOGIN /),
  'before the first mail': atCommand(/ UID FETCH /),
  // A mail and the position after it are one transaction: it waits at the mail's sender, then at the position.
  'while a mail is recorded': atRow('select from senders for update'),
  'while the position after it is recorded': atRow('select from connections for update'),
  'between two mails': atCommand(/ UID FETCH \d*[258] /),
  'after the last mail': atCommand(/ LOGOUT/),
  'at any moment': async ({ start }, strike) => {
    const worker = await start()
    await sleep(Math.random() * 300)
    await strike(worker)
    return worker
  },
}

test('each email becomes one message when the worker that reads a mailbox is killed or suspended', async ({
  annotate,
}) => {
  const env = await newDatabase('mailbox_kill')
  const url = env.DATABASE_URL
  const mailboxes = createMailboxes(() => new Date())
  await using imap = await startImap(mailboxes, { host: '127.0.0.1', port: 0 })
  await using line = await openMailboxLine(imap.port)
  const { workspaceId } = await newKeys(url, 1)
  await connectMail(env, workspaceId, { smtp: 'smtp://127.0.0.1:1', imap: `imap://127.0.0.1:${line.port}` })
  const tally: Record<string, number> = {}
  const delivered: string[] = []
  const recorded = async () =>
    (
      await asOwner<{ body: string }>(
        url,
        "select body from messages where direction = 'INBOUND' order by id",
      )
    ).map(({ body }) => body)
  const timePasses = () => asOwner(url, 'update connections set mailbox_due_at = now()')

  for (let round = 0; round < rounds; round++) {
    for (const [turn, [when, moment]] of Object.entries(moments).entries()) {
      const name = strikes[(round + turn) % 2] ?? 'SIGKILL'
      for (let mail = 0; mail < mailsPerStrike; mail++) {
        const body = `Mail ${delivered.length}`
        // Of each three one has no Message-ID.
        const id = mail === 0 ? '' : `Message-ID: <${delivered.length}@reyes.example>\r\n`
        mailboxes.deliver('office', `From: sam@reyes.example\r\nTo: ${office}\r\n${id}\r\n${body}`)
        delivered.push(body)
      }
      await timePasses()
      const struck = await moment({ url, line, start: () => startMailWorker(env) }, async (worker) => {
        worker.kill(name)
        if (name === 'SIGKILL') await worker.exit
      })
      const before = (await recorded()).length
      await timePasses()
      const next = await startMailWorker(env)
      const came = `${name} ${when}`
      await vi
        .waitUntil(async () => (await recorded()).length >= delivered.length, bounds)
        .catch(() => undefined)
      if (name === 'SIGSTOP') {
        // It goes on where it was, long after another worker has taken over.
        struck.kill('SIGCONT')
        await sleep(500)
      }
      await struck[Symbol.asyncDispose]()
      await next[Symbol.asyncDispose]()
      const left = `${came}: ${delivered.length - before} of ${mailsPerStrike} left`
      tally[left] = (tally[left] ?? 0) + 1
      expect(await recorded(), came).toEqual(delivered)
      const events = await asOwner(url, "select from events where name = 'message.received'")
      expect(events.length, came).toBe(delivered.length)
    }
  }
  await annotate(JSON.stringify(tally))
})
