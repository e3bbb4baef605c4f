import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCarrier } from '@gable/sandbox/start.ts'
import { startApp } from '@gable/server/src/app.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { createContext } from '@gable/server/src/kernel/context.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'
import { allScopes, createApiKey } from '@gable/server/src/modules/access/public.ts'
import { createPersona, updatePersona } from '@gable/server/src/modules/personas/public.ts'
import { createSender, listSenders, openAccount } from '@gable/server/src/modules/senders/public.ts'
import { createWorkspace } from '@gable/server/src/modules/workspaces/public.ts'
import { connected } from '../databases.ts'
import { progress } from '../progress.ts'
import { percentile } from '../statistics.ts'

/** Milliseconds from receiving a text to accepting the AI's response, not counting the persona's delay. */
export interface Responses {
  people: number
  delay: number
  p50: number
  p99: number
  slowest: number
}

const ours = '+13125550188'
const patienceMs = 30_000

/**
 * People write one after another, and the AI responds with the scripted model, which takes no time: first without a
 * delay, then, for a part of them, with a delay of two seconds. Uses the machine's clock, because jobs are due by it;
 * a response may be sent at any hour.
 */
export async function measureResponses(url: string, people: number): Promise<Responses[]> {
  const clock = systemClock
  await using opened = new AsyncDisposableStack()
  const carrier = opened.use(
    await startCarrier({ host: '127.0.0.1', port: 0, now: clock.now, deliveryMs: 1 }),
  )
  const app = opened.use(
    await startApp({
      role: 'all',
      databaseUrl: url,
      appSecrets: [randomBytes(32).toString('hex')],
      clock,
      log: createLog('error'),
      checkRows: false,
      host: '127.0.0.1',
      port: 0,
      metrics: undefined,
      dataDir: join(tmpdir(), 'gable-bench'),
      trustProxy: 0,
      egress: { allowHttp: 'none', allowPrivate: 'none' },
      anonymousRateLimit: 1_000_000,
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  const actor = { type: 'system', id: null, name: 'bench' }
  const { id: workspaceId } = await createWorkspace(app.runtime, 'Brokerage', actor)
  const ctx = createContext(app.runtime, { workspaceId, actor, scopes: new Set(allScopes) })
  await createSender(ctx, {
    kind: '10dlc',
    address: ours,
    pace: 1000,
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  })
  const [sender] = await listSenders(ctx.db)
  const account = sender && (await openAccount(ctx, sender.connection_id))
  if (account === undefined || (await app.carriers.twilio?.connectSender?.(account, ours)) !== true)
    throw new Error('The number is not connected.')
  const persona = await createPersona(ctx, {
    name: 'Alder',
    goal: 'Find out what they are looking for.',
    disclosure: 'This is Alder, an AI assistant.',
    mode: 'auto',
    reply_delay: 0,
  })
  return await connected(url, async (client) => {
    const measured: Responses[] = []
    let person = 0
    let key = ''
    for (const delay of [0, 2]) {
      await updatePersona(ctx, persona.id, { reply_delay: delay })
      const times: number[] = []
      const count = delay === 0 ? people : Math.ceil(people / 5)
      for (let n = 0; n < count; n++) {
        // A new key after as many requests as a key has per minute.
        if (n % 100 === 0)
          ({ key } = await createApiKey(ctx, { name: 'bench', scopes: [...allScopes], expires_in_days: 1 }))
        const from = `+1312${String(2_000_000 + person++)}`
        await addPerson(app.address ?? '', key, from, clock.now())
        carrier.write({ from, to: ours, body: 'Hi, is the place on Elm Street still for sale?' })
        times.push((await responded(from)) - delay * 1000)
        if (n % 50 === 49) progress(`${n + 1} responses`)
      }
      times.sort((a, b) => a - b)
      measured.push({
        people: count,
        delay,
        p50: percentile(times, 0.5),
        p99: percentile(times, 0.99),
        slowest: times.at(-1) ?? Number.NaN,
      })
    }
    return measured

    async function responded(phone: string): Promise<number> {
      for (const began = performance.now(); performance.now() - began < patienceMs; await sleep(10)) {
        const { rows } = await client.query<{ ms: number }>(
          `select extract(epoch from later.created_at - mine.created_at)::float8 * 1000 as ms
           from messages mine join messages later on later.workspace_id = mine.workspace_id
             and later.contact_id = mine.contact_id and later.ai_generated
           where mine.workspace_id = $1 and mine."from" = $2 and mine.direction = 'INBOUND'`,
          [workspaceId, phone],
        )
        if (rows[0] !== undefined) return rows[0].ms
      }
      throw new Error('The AI did not respond.')
    }
  })
}

async function addPerson(address: string, key: string, phone: string, now: Date): Promise<void> {
  const response = await fetch(`${address}/v1/leads`, {
    method: 'POST',
    headers: { authorization: `token ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      phone,
      source: 'Website',
      skip_routing: true,
      consent: {
        captured_at: new Date(now.getTime() - 86_400_000).toISOString(),
        source_url: 'https://brokerage.example/a',
      },
    }),
  })
  if (!response.ok) throw new Error(`The lead was not taken: ${response.status}.`)
}
