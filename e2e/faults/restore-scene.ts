import { join } from 'node:path'
import { startCarrier } from '@gable/sandbox/start.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { keyRing } from '@gable/server/src/kernel/secrets.ts'
import { createSender } from '@gable/server/src/modules/senders/public.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { operatorIn, operatorRuntime } from '@gable/server/test/support/operator.ts'
import { ask } from './ask.ts'
import { newDatabase } from './databases.ts'
import { startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'

/** The numbers that get texts. */
export const numbers = Array.from({ length: 5 }, (_, i) => `+1312555${2000 + i}`)

/** A carrier, and the environment of servers on a database with a number that texts. What they store is in folders of this one. */
export async function openRestoreScene(folder: string, name: string) {
  await using opened = new AsyncDisposableStack()
  const carrier = opened.use(
    await startCarrier({ host: '127.0.0.1', port: 0, now: systemClock.now, deliveryMs: 5 }),
  )
  const env = {
    ...(await newDatabase(name)),
    DATA_DIR: join(folder, name),
    BACKUP_DIR: join(folder, `${name}-backups`),
    SIMULATED_CARRIER: carrier.origin,
  }
  const { workspaceId, next } = await newKeys(env.DATABASE_URL, 3)
  const runtime = { ...operatorRuntime(env.DATABASE_URL), keys: keyRing([env.APP_SECRET]) }
  const { id: senderId } = await createSender(operatorIn(runtime, workspaceId), {
    kind: '10dlc',
    address: '+13125550188',
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
    pace: 100,
  })
  await runtime.database[Symbol.asyncDispose]()
  const send = async (server: RunningGable, to: string): Promise<string> => {
    // Who has just written may be texted at any hour, which it may be when the test runs.
    await asOwner(
      server.databaseUrl,
      `insert into conversations (workspace_id, id, sender_id, channel, address, last_message_id, last_message_at,
         last_inbound_at, created_at, updated_at)
       values ($1, 'c' || substr(md5($3), 1, 24), $2, 'SMS', $3, 'none', now(), now(), now(), now())`,
      [workspaceId, senderId, to],
    )
    const { status, body } = await ask(server.base, {
      method: 'POST',
      path: '/messages',
      key: next(),
      body: { channel: 'sms', to, body: 'Hello', purpose: 'reply' },
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return String(body['id'])
  }
  /** How many texts each number has received. */
  const arrived = async (at: readonly string[] = numbers) =>
    Promise.all(
      at.map(async (to) => {
        const page = await (await fetch(`${carrier.phoneUrl}/${to}/messages`)).text()
        return page.match(/<p>Hello<\/p>/g)?.length ?? 0
      }),
    )
  const all = opened.move()
  return {
    env,
    next,
    send,
    arrived,
    carrier,
    workspaceId,
    senderId,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Starts a server with this role. */
export const start = async (env: Record<string, string>, ROLE: string) =>
  Object.assign(
    await startGable({
      ...env,
      ROLE,
      // Where the carrier would report; no one listens there.
      ...(ROLE === 'worker' && { PUBLIC_URL: 'http://127.0.0.1:9' }),
    }),
    { databaseUrl: env['DATABASE_URL'] ?? '' },
  )
type RunningGable = Awaited<ReturnType<typeof start>>
