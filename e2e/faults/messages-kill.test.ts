import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCarrier } from '@gable/sandbox/start.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { keyRing } from '@gable/server/src/kernel/secrets.ts'
import { createSender } from '@gable/server/src/modules/senders/public.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { operatorIn, operatorRuntime } from '@gable/server/test/support/operator.ts'
import { expect, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { newDatabase } from './databases.ts'
import { spawnGable, startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'
import { outcomeOf } from './outbox.ts'

/** `GABLE_FAULT_ROUNDS` sets their number. */
const rounds = Number(process.env['GABLE_FAULT_ROUNDS'] ?? 2)
vi.setConfig({ testTimeout: 120_000 + rounds * 60_000 })

/** Stands before the carrier. Keeps a message from it, or its response from the worker, where a test says so. */
async function startGate(origin: string) {
  let place: 'before' | 'after' | undefined
  let held = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const body = await text(request)
    const isHandover = method === 'POST' && url.endsWith('/Messages.json')
    if (isHandover && place === 'before') return held.resolve()
    const reply = await fetch(origin + url, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
      ...(method === 'POST' ? { body } : {}),
    })
    if (isHandover && place === 'after') return held.resolve()
    return response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Holds what comes from now on; the promise resolves when it has held something. */
    hold(where: typeof place): Promise<void> {
      place = where
      held = Promise.withResolvers()
      return held.promise
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const moments = ['before', 'after', undefined] as const
const strikes = ['SIGKILL', 'SIGSTOP'] as const

test('a text reaches the carrier at most once and is tracked when its worker is killed or suspended', async ({
  annotate,
}) => {
  const env = await newDatabase('messages_kill')
  const url = env.DATABASE_URL
  await using carrier = await startCarrier({
    host: '127.0.0.1',
    port: 0,
    now: systemClock.now,
    deliveryMs: 5,
  })
  await using gate = await startGate(carrier.origin)
  await using api = await startGable({ ...env, ROLE: 'api' })
  const { workspaceId, next } = await newKeys(url, 3)
  const senderId = await addSender(env, workspaceId)
  const startWorker = async () => {
    const worker = spawnGable({
      ...env,
      ROLE: 'worker',
      SIMULATED_CARRIER: gate.origin,
      PUBLIC_URL: api.origin,
    })
    await worker.until(() => worker.stdout().includes('\n'))
    return worker
  }
  const tally: Record<string, number> = {}
  let worker = await startWorker()
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [turn, where] of moments.entries()) {
        const strike = strikes[(round + turn) % 2] ?? 'SIGKILL'
        const to = `+1312555${String(1000 + round * 3 + turn)}`
        await hasJustWritten(url, { workspaceId, senderId, to })
        const held = gate.hold(where)
        const { status, body } = await ask(api.base, {
          method: 'POST',
          path: '/messages',
          key: next(),
          body: { channel: 'sms', to, body: 'Hello', purpose: 'reply' },
        })
        expect(status).toBe(201)
        await (where === undefined ? sleep(Math.random() * 150) : held)
        worker.kill(strike)
        if (strike === 'SIGKILL') await worker.exit
        const struckAt = new Date()
        void gate.hold(undefined)
        const halted = worker
        worker = await startWorker()
        const final = await outcomeOf(url, body['id'], struckAt)
        if (strike === 'SIGSTOP') {
          // It goes on where it was, long after another worker has taken over.
          halted.kill('SIGCONT')
          await sleep(500)
        }
        await halted[Symbol.asyncDispose]()
        const arrived = (await (await fetch(`${carrier.phoneUrl}/${to}/messages`)).text()).match(
          /<p>Hello<\/p>/g,
        )
        const came = `${strike} ${where ?? 'at any moment'}: ${final}, ${arrived?.length ?? 0} at the carrier`
        tally[came] = (tally[came] ?? 0) + 1
        expect(arrived?.length ?? 0, came).toBeLessThan(2)
        // What a halted worker had already handed to its socket may arrive once it goes on.
        const known = arrived === null || (strike === 'SIGSTOP' && where === undefined) ? ['unknown'] : []
        expect(arrived === null ? known : [...known, 'sent', 'delivered'], came).toContain(final)
        if (where !== undefined) expect(arrived?.length ?? 0, came).toBe(where === 'after' ? 1 : 0)
      }
    }
  } finally {
    await worker[Symbol.asyncDispose]()
  }
  await annotate(JSON.stringify(tally))
})

async function addSender(
  { DATABASE_URL, APP_SECRET }: { DATABASE_URL: string; APP_SECRET: string },
  workspaceId: string,
): Promise<string> {
  const runtime = { ...operatorRuntime(DATABASE_URL), keys: keyRing([APP_SECRET]) }
  await using _database = runtime.database
  const { id } = await createSender(operatorIn(runtime, workspaceId), {
    kind: '10dlc',
    address: '+13125550188',
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
    pace: 100,
  })
  return id
}

/** Who has just written may be texted at any hour, which it may be when the test runs. */
const hasJustWritten = (
  url: string,
  { workspaceId, senderId, to }: { workspaceId: string; senderId: string; to: string },
) =>
  asOwner(
    url,
    `insert into conversations (workspace_id, id, sender_id, channel, address, last_message_id, last_message_at,
       last_inbound_at, created_at, updated_at)
     values ($1, 'c' || substr(md5($3), 1, 24), $2, 'SMS', $3, 'none', now(), now(), now(), now())`,
    [workspaceId, senderId, to],
  )
