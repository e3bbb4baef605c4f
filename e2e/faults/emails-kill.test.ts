import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { newDatabase } from './databases.ts'
import { type GableProcess, startGable } from './gable-process.ts'
import { holdRow } from './held-row.ts'
import { newKeys } from './keys.ts'
import { type MailGate, startMailGate } from './mail-gate.ts'
import { connectMail, startMailWorker } from './mailing.ts'
import { outcomeOf } from './outbox.ts'

/** `GABLE_FAULT_ROUNDS` sets their number. */
const rounds = Number(process.env['GABLE_FAULT_ROUNDS'] ?? 2)
vi.setConfig({ testTimeout: 120_000 + rounds * 150_000 })

interface Scene {
  url: string
  gate: MailGate
  worker: GableProcess
}
type Strike = () => Promise<void>

/** Where the worker is struck, and how many mails the server then has by its own count, if that is certain for a worker that is killed. */
const moments: [
  when: string,
  arrived: number | undefined,
  moment: (scene: Scene, post: () => Promise<string>, strike: Strike) => Promise<string>,
][] = [
  [
    'before the content',
    1,
    async ({ gate }, post, strike) => {
      const held = gate.hold('before the content')
      const id = await post()
      const release = await held
      await strike()
      release()
      return id
    },
  ],
  [
    'after the content, before the response',
    2,
    async ({ gate }, post, strike) => {
      const held = gate.hold('before the response')
      const id = await post()
      const release = await held
      await strike()
      release()
      return id
    },
  ],
  [
    'between the response and its settlement',
    2,
    async ({ gate, worker }, post, strike) => {
      const held = gate.hold('before the response')
      const id = await post()
      const release = await held
      worker.kill('SIGSTOP')
      await sleep(10)
      release()
      await sleep(20)
      await strike()
      return id
    },
  ],
  [
    'in the settlement',
    2,
    async ({ gate, url }, post, strike) => {
      const held = gate.hold('before the response')
      const id = await post()
      const release = await held
      await using row = await holdRow(url, 'select from outbox where message_id = $1 for update', [id])
      release()
      await row.isWaitedFor()
      await strike()
      return id
    },
  ],
  [
    'at any moment',
    undefined,
    async (_scene, post, strike) => {
      const id = await post()
      await sleep(Math.random() * 150)
      await strike()
      return id
    },
  ],
]

const strikes = ['SIGKILL', 'SIGSTOP'] as const

test('an email arrives once or twice with the same bytes when its worker is killed or suspended', async ({
  annotate,
}) => {
  const env = await newDatabase('emails_kill')
  const url = env.DATABASE_URL
  await using gate = await startMailGate()
  await using api = await startGable({ ...env, ROLE: 'api' })
  const { workspaceId, next } = await newKeys(url, 3)
  const connectionId = await connectMail(env, workspaceId, { smtp: `smtp://127.0.0.1:${gate.port}` })
  const tally: Record<string, number> = {}
  let worker = await startMailWorker(env)
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [turn, [when, certain, moment]] of moments.entries()) {
        const strike = strikes[(round + turn) % 2] ?? 'SIGKILL'
        const to = `person${round}.${turn}@reyes.example`
        const post = async () => {
          const body = {
            channel: 'email',
            to,
            subject: 'Your viewing',
            body: 'See you, señor.',
            html: '<p>See you.</p>',
          }
          const response = await ask(api.base, { method: 'POST', path: '/messages', key: next(), body })
          expect(response.status).toBe(201)
          return String(response.body['id'])
        }
        const id = await moment({ url, gate, worker }, post, async () => {
          worker.kill(strike)
          if (strike === 'SIGKILL') await worker.exit
        })
        const struckAt = new Date()
        const halted = worker
        // Time passes for what the worker had claimed.
        await asOwner(
          url,
          'update connections set mailbox_due_at = least(mailbox_due_at, now()) where id = $1',
          [connectionId],
        )
        worker = await startMailWorker(env)
        const final = await outcomeOf(url, id, struckAt)
        if (strike === 'SIGSTOP') {
          // It goes on where it was, long after another worker has taken over.
          halted.kill('SIGCONT')
          await sleep(500)
        }
        await halted[Symbol.asyncDispose]()
        const arrived = gate.taken.filter(({ messageId }) => messageId === `<${id}@lantern.example>`)
        const came = `${strike} ${when}: ${final}, ${arrived.length} arrived`
        tally[came] = (tally[came] ?? 0) + 1
        expect(new Set(arrived.map(({ raw }) => raw)).size, came).toBe(1)
        expect(arrived.length, came).toBeLessThan(3)
        if (certain !== undefined && strike === 'SIGKILL') expect(arrived.length, came).toBe(certain)
        const [message] = await asOwner<{ status: string }>(
          url,
          'select status from messages where id = $1',
          [id],
        )
        expect([final, message?.status], came).toEqual(['sent', 'sent'])
        const events = await asOwner<{ name: string }>(
          url,
          "select name from events where name like 'message.%' and data ->> 'id' = $1",
          [id],
        )
        expect(
          events.map(({ name }) => name),
          came,
        ).toEqual(['message.sent'])
      }
    }
  } finally {
    await worker[Symbol.asyncDispose]()
  }
  await annotate(JSON.stringify(tally))
})
