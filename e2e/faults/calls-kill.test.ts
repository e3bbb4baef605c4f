import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCarrier } from '@gable/sandbox/start.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { keyRing } from '@gable/server/src/kernel/secrets.ts'
import { createConnection, createSender } from '@gable/server/src/modules/senders/public.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { operatorIn, operatorRuntime } from '@gable/server/test/support/operator.ts'
import { symmetric } from 'retell-sdk/lib/webhook_auth.js'
import { expect, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { newDatabase } from './databases.ts'
import { type GableProcess, spawnGable, startGable } from './gable-process.ts'
import { holdRow } from './held-row.ts'
import { newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 300_000 })

const moments = {
  'a call is placed, before it is taken': { path: /create-phone-call$/, where: 'before' },
  'a call is placed, after it is taken': { path: /create-phone-call$/, where: 'after' },
  'its recording is copied': { path: /\.wav$/, where: 'after' },
} as const

/** Stands before the carrier, and holds one request of a kind, or its response. */
async function startGate(origin: string) {
  let held = Promise.withResolvers<void>()
  let holds: (typeof moments)[keyof typeof moments] | undefined
  let placed = 0
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const body = await buffer(request)
    const isHeld = holds?.path.test(url) === true
    if (isHeld && holds?.where === 'before') return held.resolve()
    const reply = await fetch(origin + url, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
      ...(method === 'POST' ? { body } : {}),
    })
    const said = Buffer.from(await reply.arrayBuffer())
    if (url.endsWith('create-phone-call')) placed++
    if (isHeld) return held.resolve()
    return response.writeHead(reply.status).end(said)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    placed: () => placed,
    hold(what: typeof holds): Promise<void> {
      placed = 0
      holds = what
      held = Promise.withResolvers()
      return held.promise
    },
    release: () => void (holds = undefined),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A zone where it is early afternoon: people may be called there, at whatever hour the test runs. */
function zoneOfDay(): string {
  const offset = 13 - new Date().getUTCHours()
  return `Etc/GMT${offset < 0 ? '+' : '-'}${Math.abs(offset)}`
}

test('no call is placed twice when a worker is killed while placing it or copying its recording', async () => {
  const env = await newDatabase('calls_kill')
  const url = env.DATABASE_URL
  await using carrier = await startCarrier({
    host: '127.0.0.1',
    port: 0,
    now: systemClock.now,
    deliveryMs: 20,
  })
  await using gate = await startGate(carrier.origin)
  await using api = await startGable({ ...env, ROLE: 'api', SIMULATED_CARRIER: gate.origin })
  const { workspaceId, next } = await newKeys(url, 1)
  await addNumber(env, workspaceId)
  const post = (path: string, body: object) => ask(api.base, { method: 'POST', path, key: next(), body })
  const startWorker = async () => {
    const one = spawnGable({
      ...env,
      ROLE: 'worker',
      SIMULATED_CARRIER: gate.origin,
      PUBLIC_URL: api.origin,
    })
    await one.until(() => one.stdout().includes('\n'))
    return one
  }
  let worker: GableProcess = await startWorker()
  try {
    for (const [n, [what, moment]] of Object.entries(moments).entries()) {
      const held = gate.hold(moment)
      const to = `+1671555100${n}`
      const consent = { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lanternandoak.example/a' }
      const lead = await post('/leads', { phone: to, source: 'Website', skip_routing: true, consent })
      await ask(api.base, {
        method: 'PATCH',
        path: `/contacts/${String(lead.body['contact_id'])}`,
        key: next(),
        body: { timezone: zoneOfDay() },
      })
      const { status, body } = await post('/calls', { to })
      expect([status, body]).toEqual([201, expect.anything()])
      const id = String(body['id'])
      await held
      worker.kill('SIGKILL')
      await worker.exit
      gate.release()
      worker = await startWorker()
      const read = async () =>
        (
          await asOwner<{
            status: string
            recording_stored_at: string | null
            completed: number
            files: number
          }>(
            url,
            `select status, recording_stored_at,
               (select count(*)::int from events e where e.subject_id = c.id and e.name = 'call.completed') as completed,
               (select count(*)::int from files f where f.workspace_id = c.workspace_id and f.id = c.recording_file_id) as files
             from calls c where id = $1`,
            [id],
          )
        )[0]
      const wanted =
        moment.where === 'before'
          ? (row: { status: string }) => row.status === 'unknown'
          : ({ recording_stored_at }: { recording_stored_at: string | null }) => recording_stored_at !== null
      await vi.waitUntil(
        async () => {
          const row = await read()
          return row !== undefined && wanted(row)
        },
        { timeout: 200_000, interval: 200 },
      )
      await sleep(300)
      expect(gate.placed(), what).toBe(moment.where === 'before' ? 0 : 1)
      if (moment.where === 'after')
        expect(await read(), what).toMatchObject({ status: 'completed', completed: 1, files: 1 })
      expect(await asOwner(url, 'select from calls where "to" = $1', [to]), what).toHaveLength(1)
    }
  } finally {
    await worker[Symbol.asyncDispose]()
  }
})

const said = [
  { role: 'agent', content: 'Hi, I am an AI.', words: [{ start: 0, end: 0.9 }] },
  { role: 'user', content: 'Hello.', words: [{ start: 1, end: 1.9 }] },
]
const call = {
  call_id: 'call_1',
  direction: 'inbound',
  from_number: '+13125550177',
  to_number: '+13125550188',
  start_timestamp: Date.now() - 60_000,
}
const over = { call_status: 'ended', disconnection_reason: 'user_hangup', end_timestamp: Date.now() - 1_000 }
const reports = [
  { event: 'call_started', call: { ...call, call_status: 'ongoing' } },
  { event: 'call_ended', call: { ...call, ...over, transcript_object: said } },
  {
    event: 'call_analyzed',
    call: { ...call, ...over, transcript_object: said, call_analysis: { call_summary: 'Wants a showing.' } },
  },
]

test('a call report interrupted by a server crash and then sent twice is recorded once', async () => {
  const env = { ...(await newDatabase('calls_report_kill')), ROLE: 'api' }
  const url = env.DATABASE_URL
  let api = await startGable(env)
  try {
    const { workspaceId, next } = await newKeys(url, 1)
    const { connectionId, secret } = await addNumber(env, workspaceId, 'a key of Retell')
    const contact = { first_name: 'Sam', phone: call.from_number }
    const { body } = await ask(api.base, { method: 'POST', path: '/contacts', key: next(), body: contact })
    const post = async (report: object): Promise<number | undefined> => {
      const text = JSON.stringify(report)
      const signature = await symmetric.sign(text, secret)
      const response = await fetch(`${api.origin}/callbacks/retell/${connectionId}`, {
        method: 'POST',
        body: text,
        headers: { 'x-retell-signature': signature },
      }).catch(() => undefined)
      return response?.status
    }
    for (const report of reports) {
      const held = await holdRow(url, 'select from contacts where id = $1 for update', [body['id']])
      const lost = post(report)
      await held.isWaitedFor()
      api.kill('SIGKILL')
      await api.exit
      await held[Symbol.asyncDispose]()
      expect(await lost).toBeUndefined()
      api = await startGable(env)
      expect([await post(report), await post(report)]).toEqual([200, 200])
    }
    const [stored] = await asOwner(
      url,
      `select (select count(*)::int from calls) as calls, (select count(*)::int from call_transcripts) as transcripts,
         (select array_agg(name order by id) from events where subject_type = 'call') as events,
         (select status from calls) as status, (select summary from calls) as summary`,
    )
    expect(stored).toEqual({
      calls: 1,
      transcripts: 1,
      events: ['call.created', 'call.completed'],
      status: 'completed',
      summary: 'Wants a showing.',
    })
  } finally {
    await api[Symbol.asyncDispose]()
  }
})

/** A number, and a connection to Retell with this key. */
async function addNumber(
  { DATABASE_URL, APP_SECRET }: { DATABASE_URL: string; APP_SECRET: string },
  workspaceId: string,
  secret?: string,
): Promise<{ connectionId: string; secret: string }> {
  const runtime = { ...operatorRuntime(DATABASE_URL), keys: keyRing([APP_SECRET]) }
  await using _database = runtime.database
  const ctx = operatorIn(runtime, workspaceId)
  await createSender(ctx, { kind: '10dlc', address: '+13125550188' })
  if (secret === undefined) return { connectionId: '', secret: '' }
  const { id } = await createConnection(ctx, {
    provider: 'retell',
    name: 'Retell',
    account: 'agent_1',
    secret,
  })
  return { connectionId: id, secret }
}
