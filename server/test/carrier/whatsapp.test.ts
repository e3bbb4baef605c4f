import { expect, test } from 'vitest'
import { startSimulated } from './simulated.ts'

const start = (options: Parameters<typeof startSimulated>[0] = {}) => startSimulated(options, 'whatsapp')

/** The simulated carrier with the number connected, so that its callbacks arrive. */
async function startConnected(options: Parameters<typeof startSimulated>[0] = {}) {
  const carrier = await start(options)
  expect(await carrier.adapter.connectSender?.(carrier.account, carrier.number)).toBe(true)
  carrier.arrived.length = 0
  return carrier
}

const taken = { kind: 'taken', providerMessageId: expect.stringMatching(/^wamid\.[\w-]{48}$/) }
const delivered = ['sent', 'delivered', 'read']
const rejected = (code: string, carrierCode: string) => ({ kind: 'rejected', failure: { code, carrierCode } })
const unknown = { kind: 'unknown' }

/** By last two digits: the outcome, the reported statuses, and the failure code. */
const numbers: [suffix: string, outcome: object, statuses: string[], failure?: string][] = [
  ['00', taken, delivered],
  ['80', rejected('recipient_unreachable', '131026'), []],
  ['81', rejected('recipient_opted_out', '131050'), []],
  ['82', taken, ['failed'], 'recipient_unreachable'],
  ['83', taken, ['failed'], 'recipient_unreachable'],
  ['84', taken, ['failed'], 'recipient_unreachable'],
  ['85', taken, ['failed'], 'filtered'],
  ['86', taken, ['failed'], 'sender_not_registered'],
  ['87', { kind: 'later', failure: { code: 'provider_unavailable', carrierCode: '130429' } }, []],
  ['88', unknown, delivered],
  ['89', unknown, []],
  ['91', taken, []],
  ['92', taken, ['read', 'read', 'delivered', 'delivered', 'sent', 'sent']],
  ['93', taken, delivered],
]

test.for(numbers)(
  'a number ending in 555-01%s behaves the same in any area code',
  async ([suffix, outcome, statuses, failure]) => {
    await using carrier = await startConnected({ deliveryMs: 25 })
    for (const area of ['212', '787']) {
      const to = `+1${area}55501${suffix}`
      expect(await carrier.send(to)).toMatchObject(outcome)
      const reports = () =>
        carrier.arrived
          .flatMap((one) => carrier.read(one)?.statuses ?? [])
          .filter(({ attemptId }) => attemptId === carrier.attemptOf(to))
      await carrier.until(() => reports().length >= statuses.length)
      expect(reports().map(({ status }) => status)).toEqual(statuses)
      expect(reports().find((one) => one.failure)?.failure?.code).toBe(failure)
    }
  },
)

test('a message to 555-0190 gets no response', async () => {
  await using carrier = await startConnected({ timeoutMs: 300 })
  expect(await carrier.send('+15125550190')).toMatchObject(unknown)
})

test('an unknown message cannot be looked up, and nothing is listed or forgotten', async () => {
  await using carrier = await start()
  const { adapter, account, number: from } = carrier
  const to = '+15125550188'
  const since = new Date()
  await carrier.send(to)
  expect(await adapter.find(account, { attemptId: 'a', from, to, body: 'Hello', since })).toBeUndefined()
  expect(await adapter.listInbound(account, since)).toEqual([])
  expect(adapter.forget).toBeUndefined()
})

test('555-0193 replies STOP to the number that wrote', async () => {
  await using carrier = await startConnected()
  await carrier.send('+15125550193')
  const inbound = () => carrier.arrived.flatMap((one) => carrier.read(one)?.messages ?? [])
  await carrier.until(() => inbound().length > 0)
  expect(inbound()).toEqual([
    {
      providerMessageId: expect.stringMatching(/^wamid\./),
      channel: 'whatsapp',
      from: '+15125550193',
      to: carrier.number,
      subject: null,
      body: 'STOP',
      bodyHtml: null,
      name: 'Handset',
      receivedAt: expect.any(Date),
      providerResponds: false,
    },
  ])
})

test('a number is connected once its callback URL passes verification', async () => {
  await using carrier = await start()
  const { adapter, account, number, arrived } = carrier
  expect(await adapter.connectSender?.({ ...account, id: 'another' }, number)).toBe(false)
  await carrier.send('+15125550123', 'Lost')
  expect(await adapter.connectSender?.(account, number)).toBe(true)
  expect(arrived.map(({ method, path }) => [method, path.replace(/\?.*/, '')])).toEqual([
    ['GET', 'webhook'],
    ['GET', 'webhook'],
  ])
  expect(await adapter.connectSender?.({ ...account, simulated: false }, number)).toBe(false)
})

test('a callback is repeated until the server responds with 200', async () => {
  let missed = 0
  await using carrier = await startConnected({ respond: () => ({ status: missed++ < 2 ? 500 : 200 }) })
  await carrier.send('+15125550182')
  await carrier.until(() => carrier.arrived.length === 3)
  const [first] = carrier.arrived
  for (const { body } of carrier.arrived) expect(body).toEqual(first?.body)
})

test('accounts with the same number get their own callbacks', async () => {
  await using carrier = await startConnected()
  const by = { ...carrier.account, secrets: ['another'] as const }
  expect(await carrier.send('+15125550182', 'Theirs', { by })).toMatchObject(taken)
  await carrier.send('+15125550182')
  await carrier.until(() => carrier.arrived.length > 0)
  expect(carrier.arrived.flatMap((one) => carrier.read(one)?.statuses ?? [])).toMatchObject([
    { attemptId: carrier.attemptOf('+15125550182') },
  ])
})

test('a callback of another account, or an altered one, is rejected', async () => {
  await using carrier = await startConnected()
  await carrier.send('+15125550123')
  await carrier.until(() => carrier.arrived.length === 3)
  for (const one of carrier.arrived) {
    expect(carrier.read(one)).toBeDefined()
    expect(carrier.read(one, { ...carrier.account, secrets: ['another'] })).toBeUndefined()
    expect(carrier.read(one, { ...carrier.account, secrets: ['another', 'the-token'] })).toBeDefined()
    expect(carrier.read({ ...one, body: Buffer.concat([one.body, Buffer.from(' ')]) })).toBeUndefined()
  }
})

test('a handset shows WhatsApp messages and templates, and replies by WhatsApp', async () => {
  await using carrier = await startConnected()
  const handset = `${carrier.phoneUrl}/%2B15125550123`
  const page = async (path = '') => (await fetch(handset + path)).text()
  await carrier.send('+15125550123', 'Is it still for sale?')
  const template = { name: 'showing_confirmed', language: 'en_US', variables: ['Ada', '12 Oak St'] }
  expect(await carrier.send('+15125550123', null, { template })).toMatchObject(taken)
  expect(await page('/messages')).toMatch(
    /\[showing_confirmed\] · Ada · 12 Oak St[^]*Is it still for sale\?[^]*from whatsapp:\+15125550100/,
  )
  expect(await page()).toContain('<option>whatsapp:+15125550100</option>')
  await fetch(handset, {
    method: 'POST',
    body: new URLSearchParams({ to: 'whatsapp:+15125550100', body: 'Yes' }),
  })
  const inbound = () => carrier.arrived.flatMap((one) => carrier.read(one)?.messages ?? [])
  await carrier.until(() => inbound().length > 0)
  expect(inbound()).toMatchObject([{ from: '+15125550123', to: carrier.number, body: 'Yes' }])
})

test('a request that Meta would reject is rejected', async () => {
  await using carrier = await start()
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${carrier.origin}/v24.0/${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer the-token', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const { error } = (await response.json()) as { error?: { code: number } }
    return [response.status, error?.code]
  }
  const text = { messaging_product: 'whatsapp', to: '15125550123', type: 'text', text: { body: 'Hello' } }
  const path = '15125550100/messages'
  expect(await post(path, text)).toEqual([200, undefined])
  for (const [change, code] of [
    [{ messaging_product: 'sms' }, 100],
    [{ type: 'fax' }, 100],
    [{ text: null }, 100],
    [{ text: { body: 'a'.repeat(4_097) } }, 100],
    [{ to: 'Ada' }, 131009],
    [{ biz_opaque_callback_data: 'a'.repeat(513) }, 100],
    [{ type: 'template', template: { name: 'a' } }, 131008],
  ] as const)
    expect(await post(path, { ...text, ...change })).toEqual([400, code])
  expect(await post(path, '{')).toEqual([400, 100])
  expect(await post('15125550100/media', text)).toEqual([400, 100])
  expect(await post('15125550100', { webhook_configuration: 7 })).toEqual([400, 2200])
  expect(await post('abc/messages', text)).toEqual([401, 190])
  expect(await post(path, text, { authorization: 'Bearer ' })).toEqual([401, 190])
  expect(await post(path, text, { origin: 'https://example.com' })).toEqual([401, 190])
})

test('its numbers are approved, and it lists no templates', async () => {
  await using carrier = await start()
  const sender = { kind: 'whatsapp', address: carrier.number } as const
  expect(await carrier.adapter.readRegistration?.(carrier.account, sender)).toEqual({ status: 'APPROVED' })
  expect(await carrier.adapter.listTemplates?.(carrier.account)).toEqual([])
})
