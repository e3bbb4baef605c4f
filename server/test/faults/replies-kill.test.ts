import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { startCarrier } from '#carrier/start.ts'
import { systemClock } from '#kernel/clock.ts'
import { orNotFound } from '#kernel/errors.ts'
import { keyRing } from '#kernel/secrets.ts'
import { asOwner } from '#test/support/database.ts'
import { receiveMessage } from '../../src/modules/messages/public.ts'
import { createPersona } from '../../src/modules/personas/public.ts'
import { createSender, listSenders, openAccount } from '../../src/modules/senders/public.ts'
import { operatorIn, operatorRuntime } from '../support/operator.ts'
import { ask } from './ask.ts'
import { newDatabase } from './databases.ts'
import { type GableProcess, spawnGable, startGable } from './gable-process.ts'
import { holdRow } from './held-row.ts'
import { newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 400_000 })

const ours = '+13125550188'
const script = [{ match: '', say: { action: 'reply', text: 'Which day suits you?' } }]

/** Stands before the model, and keeps a request, or its response; or holds the response until it is released. */
async function startGate(origin: string) {
  let held = Promise.withResolvers<void>()
  let released = Promise.withResolvers<void>()
  let holds: 'before' | 'after' | 'until released' | undefined
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const body = await buffer(request)
    const where = url.endsWith('/chat/completions') ? holds : undefined
    if (where === 'before') return held.resolve()
    const reply = await fetch(origin + url, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
      ...(method === 'POST' ? { body } : {}),
    })
    const said = Buffer.from(await reply.arrayBuffer())
    if (where !== undefined) held.resolve()
    if (where === 'after') return
    if (where === 'until released') await released.promise
    return response.writeHead(reply.status, { 'content-type': 'application/json' }).end(said)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(where: typeof holds): Promise<void> {
      holds = where
      held = Promise.withResolvers()
      released = Promise.withResolvers()
      return held.promise
    },
    release() {
      holds = undefined
      released.resolve()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('each contact gets exactly one reply when a worker is killed around the model response', async () => {
  const env = await newDatabase('replies_kill')
  const url = env.DATABASE_URL
  const now = systemClock.now
  await using carrier = await startCarrier({ host: '127.0.0.1', port: 0, now, deliveryMs: 20, script })
  await using gate = await startGate(carrier.origin)
  await using api = await startGable({ ...env, ROLE: 'api' })
  const { workspaceId, next } = await newKeys(url, 1)
  const runtime = { ...operatorRuntime(url), keys: keyRing([env.APP_SECRET]) }
  await using _database = runtime.database
  const ctx = operatorIn(runtime, workspaceId)
  const registration = { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' }
  await createSender(ctx, { kind: '10dlc', address: ours, registration })
  const account = orNotFound(await openAccount(ctx, orNotFound((await listSenders(ctx.db))[0]).connection_id))
  const disclosure = 'This is Alder, an AI assistant.'
  await createPersona(ctx, { name: 'Alder', disclosure, mode: 'auto', reply_delay: 0 })

  /** A person who has agreed to be texted writes. */
  async function write(from: string): Promise<string> {
    const consent = { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lanternandoak.example/a' }
    const lead = { phone: from, source: 'Website', skip_routing: true, consent }
    const { body } = await ask(api.base, { method: 'POST', path: '/leads', key: next(), body: lead })
    await receiveMessage(ctx, account, {
      providerMessageId: `SM${from}`,
      channel: 'sms',
      from,
      to: ours,
      subject: null,
      body: 'Is it still for sale?',
      bodyHtml: null,
      name: null,
      receivedAt: null,
      providerResponds: false,
    })
    return String(body['contact_id'])
  }

  const startWorker = async () => {
    const one = spawnGable({ ...env, ROLE: 'worker', SIMULATED_CARRIER: gate.origin, PUBLIC_URL: api.origin })
    await one.until(() => one.stdout().includes('\n'))
    return one
  }
  let worker: GableProcess = await startWorker()
  const restart = async () => {
    worker.kill('SIGKILL')
    await worker.exit
    worker = await startWorker()
  }
  const contacts: string[] = []
  try {
    for (const [n, where] of (['before', 'after'] as const).entries()) {
      const held = gate.hold(where)
      contacts.push(await write(`+1312555100${n}`))
      await held
      gate.release()
      await restart()
    }
    const asked = gate.hold('until released')
    contacts.push(await write('+13125551002'))
    await asked
    const held = await holdRow(url, 'select from contacts where id = $1 for update', [contacts[2]])
    gate.release()
    await held.isWaitedFor()
    worker.kill('SIGKILL')
    await worker.exit
    await held[Symbol.asyncDispose]()
    worker = await startWorker()
    await timePasses()
    const sent = async () =>
      asOwner<{ contact_id: string; body: string }>(
        url,
        `select contact_id, body from messages
         where ai_generated and status in ('sent', 'delivered') order by contact_id`,
      )
    await vi.waitUntil(async () => (await sent()).length >= 3, { timeout: 150_000, interval: 300 })
    expect((await sent()).map(({ contact_id }) => contact_id)).toEqual(contacts.toSorted())
    const [left] = await asOwner(
      url,
      `select (select count(*)::int from messages where direction = 'OUTBOUND') as messages,
         (select count(*)::int from awaited_replies) as awaited`,
    )
    expect(left).toEqual({ messages: 3, awaited: 0 })
  } finally {
    await worker[Symbol.asyncDispose]()
  }

  /** What a killed process had taken on is free after two minutes; the worker looks each minute. */
  async function timePasses(): Promise<void> {
    await asOwner(url, `update awaited_replies set claimed_until = now(), look_at = now()`)
  }
})
