import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { checkConnections, judgeInbound } from '../../src/doctor/connections.ts'
import { type CheckFinding, finding, fine, inTime } from '../../src/doctor/finding.ts'
import {
  type Provider,
  createConnection,
  createSender,
  openAccount,
  updateSender,
} from '../../src/modules/senders/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'

let carrier: SimulatedCarrier
let app: TestApp
let workspace: TestWorkspace
let accounts = 0

beforeAll(async () => {
  carrier = await startCarrier({ host: '127.0.0.1', port: 0, now: () => new Date(), deliveryMs: 5 })
  app = await testApp({ simulatedCarrierUrl: carrier.origin, publicUrl: 'https://gable.example' })
})
beforeEach(async () => void (workspace = await app.workspace()))
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await carrier[Symbol.asyncDispose]()
})

const connect = (provider: Provider, { account = `AC${++accounts}`, secret = 'the-token app-secret' } = {}) =>
  createConnection(workspace.ctx, { provider, name: provider, account, simulated: true, secret })

const kinds = {
  twilio: { kind: '10dlc', address: '+13125550188' },
  whatsapp: { kind: 'whatsapp', address: '+13125550189' },
  email: { kind: 'email', address: 'office@lantern.example' },
} as const

const addSender = (provider: keyof typeof kinds, connection_id: string) =>
  createSender(workspace.ctx, { ...kinds[provider], connection_id })

const examined = (runtime = app.runtime, limitMs?: number) =>
  checkConnections(runtime, app, workspace.id, limitMs)
const shown = (findings: readonly CheckFinding[]) => findings.map(({ check, result }) => `${check} ${result}`)

async function pointToGable(connectionId: string, address: string) {
  const account = orNotFound(await openAccount(workspace.ctx, connectionId))
  expect(await app.carriers[account.provider]?.connectSender?.(account, address)).toBe(true)
}

test('a Twilio connection is right once its number calls back here', async () => {
  const { id } = await connect('twilio')
  const { address } = await addSender('twilio', id)
  const before = await examined()
  expect(shown(before)).toEqual([
    'credentials ok',
    'registration ok',
    'callback_url failed',
    'callback_url warning',
    'callback_url warning',
  ])
  expect(before[2]).toMatchObject({
    subject: address,
    found: 'The provider sends what it receives nowhere.',
    action: `At the provider, set "A message comes in" of the number to https://gable.example/callbacks/twilio/${id}/inbound#rc=5&rp=all`,
  })
  expect(before.slice(3).map(({ found, action }) => [found, action])).toEqual([
    [
      'The provider sends calls nowhere.',
      `At the provider, set "A call comes in" of the number to https://gable.example/callbacks/twilio/${id}/voice/incoming#rc=5&rp=all`,
    ],
    [
      'The provider sends calls nowhere.',
      `At the provider, set "Call status changes" of the number to https://gable.example/callbacks/twilio/${id}/voice/ended#rc=5&rp=all`,
    ],
  ])
  await pointToGable(id, address)
  expect(shown(await examined())).toEqual([
    'credentials ok',
    'registration ok',
    'callback_url ok',
    'callback_url ok',
    'callback_url ok',
  ])
})

test('a number whose calls go elsewhere gets a warning', async () => {
  const { id } = await connect('twilio')
  const { address } = await addSender('twilio', id)
  await pointToGable(id, address)
  const account = orNotFound(await openAccount(workspace.ctx, id))
  const ask = async (path: string, form?: Record<string, string>) => {
    const response = await fetch(
      `${carrier.origin}/2010-04-01/Accounts/${account.name}/IncomingPhoneNumbers${path}`,
      {
        headers: { authorization: `Basic ${btoa(`${account.name}:${account.secrets[0]}`)}` },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      },
    )
    expect(response.status).toBe(200)
    return (await response.json()) as { incoming_phone_numbers: { sid: string }[] }
  }
  const { incoming_phone_numbers: numbers } = await ask(
    `.json?${new URLSearchParams({ PhoneNumber: address })}`,
  )
  await ask(`/${numbers[0]?.sid}.json`, { VoiceUrl: 'https://pbx.example.com/calls' })
  expect((await examined()).filter(({ result }) => result !== 'ok')).toMatchObject([
    {
      check: 'callback_url',
      result: 'warning',
      found: 'The provider sends calls to https://pbx.example.com/calls.',
    },
  ])
})

test('wrong credentials of Twilio have failed, and what follows is not asked', async () => {
  const { account } = await connect('twilio')
  await examined()
  const wrong = await connect('twilio', { account, secret: 'another-token' })
  await addSender('twilio', wrong.id)
  expect(shown(await examined()).toSorted()).toEqual(['credentials failed', 'credentials ok'])
})

test('a registration that the provider reports counts, whatever is stored', async () => {
  const { id } = await connect('twilio')
  const sender = await addSender('twilio', id)
  await updateSender(workspace.ctx, sender.id, { registration: { campaign: 'FAILED' } })
  expect(shown(await examined())).toContain('registration ok')
})

test('a short code has no callback URL to check, and its state is the stored one', async () => {
  const { id } = await connect('twilio')
  await createSender(workspace.ctx, { kind: 'shortcode', address: '72345', connection_id: id })
  expect(shown(await examined())).toEqual(['credentials ok', 'registration failed'])
})

test('a WhatsApp connection is right once its number calls back here', async () => {
  const { id } = await connect('whatsapp')
  const { address } = await addSender('whatsapp', id)
  expect(shown(await examined())).toEqual(['credentials ok', 'registration ok', 'callback_url failed'])
  const account = orNotFound(await openAccount(workspace.ctx, id))
  const meta = `${carrier.origin}/v24.0/${address.slice(1)}`
  const response = await fetch(meta, {
    headers: { authorization: `Bearer ${account.secrets[0].split(' ')[0]}` },
  })
  expect(await response.json()).toMatchObject({ webhook_configuration: {} })
})

test('a mail account is right if its server accepts the sign-in', async () => {
  const { id } = await connect('email')
  await addSender('email', id)
  expect(shown(await examined())).toEqual(['credentials ok', 'registration ok'])
})

test('a connection with Documenso is right once its webhook calls back here', async () => {
  const { id } = await connect('documenso')
  const before = await examined()
  expect(shown(before)).toEqual(['credentials ok', 'callback_url warning'])
  expect(before[1]).toMatchObject({
    found: 'The provider sends changes of documents nowhere.',
    action: `At the provider, set a webhook for all document events to https://gable.example/callbacks/documenso/${id}`,
  })
  const account = orNotFound(await openAccount(workspace.ctx, id))
  const offer = { title: 'Offer', status: 'sent', signers: [], sentAt: null, completedAt: null } as const
  await app.signing.documenso?.restore?.(account, 'envelope_1', offer)
  expect(shown(await examined())).toEqual(['credentials ok', 'callback_url ok'])
})

test('where Documenso calls back, a real one does not say', async () => {
  const { id } = await connect('documenso')
  const account = orNotFound(await openAccount(workspace.ctx, id))
  const url = orNotFound(await app.signing.documenso?.readCallbackUrl?.({ ...account, simulated: false }))
  expect('fault' in url ? url : judgeInbound('x', url)).toMatchObject({
    result: 'ok',
    found: expect.stringContaining(`https://gable.example/callbacks/documenso/${id}`),
  })
})

test('a Retell connection is right once its agent calls back here', async () => {
  const { id, account } = await connect('retell', { secret: 'the-key' })
  expect(shown(await examined())).toEqual(['credentials ok', 'callback_url warning'])
  await fetch(`${carrier.origin}/update-agent/${account}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer the-key' },
    body: JSON.stringify({ webhook_url: `https://gable.example/callbacks/retell/${id}` }),
  })
  expect(shown(await examined())).toEqual(['credentials ok', 'callback_url ok'])
})

test('simulated senders have failed where the simulated carrier is not in effect', async () => {
  const { id } = await connect('twilio')
  await addSender('twilio', id)
  const [found, ...others] = await examined({ ...app.runtime, simulatesProviders: false })
  expect(others).toEqual([])
  expect(found).toMatchObject({ check: 'sender', subject: '+13125550188', result: 'failed' })
})

test('a provider that does not respond ends its check, and not the others', async () => {
  const hangs = { ...app.voice.retell, test: () => new Promise<never>(() => undefined) }
  await connect('retell')
  await connect('email')
  const found = await checkConnections(
    app.runtime,
    { ...app, voice: { ...app.voice, retell: hangs as typeof app.voice.retell } },
    workspace.id,
    500,
  )
  expect(shown(found).toSorted()).toEqual(['credentials failed', 'credentials ok'])
  expect(found.find(({ result }) => result === 'failed')?.found).toBe('There is no result after 0.5 s.')
})

test('a check that throws has failed with what it says, and one within its time gives its findings', async () => {
  const throwing = await inTime('clock', null, async () => {
    throw new Error('no clock')
  })
  expect(throwing).toMatchObject([{ check: 'clock', result: 'failed', found: 'no clock' }])
  const found = [finding('clock', fine('right'))]
  expect(await inTime('clock', null, async () => found)).toEqual(found)
})
