import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf, cpuOfPostgres, postmasterOf } from '../cpu.ts'
import { connected } from '../databases.ts'
import { progress } from '../progress.ts'
import { startServer } from '../server-process.ts'
import { share, shared } from './product.ts'
import type { Brokerage } from './scene.ts'

export interface Sent {
  perSecond: number
  /** CPU microseconds per text of the worker, PostgreSQL, the server that receives callbacks, and the carrier. */
  cpu: { worker: number; postgres: number; api: number; carrier: number }
}

const patienceMs = 300_000
const inFlight = 64

/**
 * Queues `texts` texts, spread over all people, and has one worker send them to the simulated carrier, which calls
 * back twice about each. The rate is measured from the first attempt to the carrier's last response. Throws if a text
 * is not sent or is attempted twice.
 */
export async function measureSending(
  url: string,
  brokerages: readonly Brokerage[],
  texts: number,
): Promise<Sent> {
  await using carrier = await startServer('messages/carrier.ts', url)
  share({ ...shared(), carrierUrl: carrier.url })
  await using api = await startServer('messages/product-server.ts', url)
  share({ ...shared(), publicUrl: api.url })
  await connected(url, (client) => client.query('delete from outbox'))
  await queueTexts(api.url, brokerages, texts)
  const postmaster = await postmasterOf(url)
  await using worker = await startServer('messages/worker.ts', url)
  const used = () => ({
    worker: cpuOf(worker.pid ?? 0),
    postgres: cpuOfPostgres(postmaster),
    api: cpuOf(api.pid ?? 0),
    carrier: cpuOf(carrier.pid ?? 0),
  })
  const before = used()
  await untilSent(url)
  const after = used()
  const { sent, attempts, seconds } = await outcome(url, texts)
  if (sent !== texts || attempts !== texts)
    throw new Error(`${sent} of ${texts} texts were sent, in ${attempts} attempts.`)
  const each = (part: keyof typeof after) => ((after[part] - before[part]) * 1000) / texts
  return {
    perSecond: texts / seconds,
    cpu: { worker: each('worker'), postgres: each('postgres'), api: each('api'), carrier: each('carrier') },
  }
}

async function queueTexts(origin: string, brokerages: readonly Brokerage[], texts: number): Promise<void> {
  const turns = Array.from({ length: texts }, (_, turn) => turn).values()
  const post = async () => {
    for (const turn of turns) {
      const { keys = [], phones = [] } = brokerages[turn % brokerages.length] ?? {}
      const place = Math.floor(turn / brokerages.length)
      const response = await fetch(`${origin}/v1/messages`, {
        method: 'POST',
        headers: { authorization: `token ${keys[place % keys.length]}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          channel: 'sms',
          to: phones[place],
          body: `The open house is at 2 pm. (${turn})`,
        }),
      })
      if (response.status !== 201)
        throw new Error(`POST /messages: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, post))
  progress(`${texts} texts are queued`)
}

async function untilSent(url: string): Promise<void> {
  const started = performance.now()
  await connected(url, async (client) => {
    for (;;) {
      const { rows } = await client.query('select from outbox limit 1')
      if (rows.length === 0) return
      if (performance.now() - started > patienceMs) throw new Error('Texts are still waiting.')
      await sleep(100)
    }
  })
}

const outcome = (url: string, texts: number) =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ sent: number; attempts: number; seconds: number }>(
      `with latest as (
         select workspace_id, id, status from messages where direction = 'OUTBOUND' order by created_at desc limit $1)
       select count(distinct m.id) filter (where m.status in ('sent', 'delivered'))::integer as sent,
         count(*)::integer as attempts,
         extract(epoch from max(a.ended_at) - min(a.began_at))::float as seconds
       from latest m join message_attempts a on a.workspace_id = m.workspace_id and a.message_id = m.id`,
      [texts],
    )
    return rows[0] ?? { sent: 0, attempts: 0, seconds: 0 }
  })
