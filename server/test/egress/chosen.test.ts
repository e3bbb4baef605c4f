import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import type { EgressOptions } from '#kernel/egress/egress.ts'
import { readAllowList } from '#kernel/egress/rules.ts'
import { mailServer } from '#test/mail/mail-server.ts'
import { twilioAccount, whatsAppAccount } from '#test/support/accounts.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { openCalendars, openModel } from '../../src/app.ts'
import type { Cleared } from '../../src/modules/compliance/public.ts'
import type { OutgoingMessage, ProviderAccount } from '../../src/modules/messages/ports.ts'
import { createConnection } from '../../src/modules/senders/public.ts'
import { type Canary, startCanary } from './canary.ts'
import { startNameServer } from './name-server.ts'
import { post } from './posting.ts'

const notPublic = 'the address is not public'
const elsewhere = '93.184.215.14'
const cleared = { validUntil: Infinity } as Cleared<OutgoingMessage>

const publicOnly: EgressOptions = { allowHttp: 'none', allowPrivate: 'none' }
const allowing = (list: string): EgressOptions => {
  const allow = readAllowList(list)
  if (typeof allow === 'string') throw new Error(allow)
  return { ...publicOnly, allow }
}

const account = (provider: ProviderAccount['provider'], more: object): ProviderAccount => ({
  ...twilioAccount,
  provider,
  simulated: false,
  ...more,
})
const mailAccount = (host: string, port: number) =>
  account('email', {
    email: {
      smtp: { host, port, secure: false },
      imap: { host, port, secure: false, mailbox: 'INBOX' },
      dkim: null,
    },
  })
/** For URLs. */
const written = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** Calls a place that a person has chosen, and returns everything that is said about the result. */
type Call = (app: TestApp, host: string, port: number) => Promise<unknown>

const said = (work: Promise<unknown>) => work.catch((error: unknown) => String(error))

const callsOfPersons: Record<string, Call> = {
  'a webhook': ({ runtime: { egress } }, host, port) =>
    post(egress, `https://${written(host)}:${port}/`).then(({ status, failure }) => ({ status, failure })),
  'a calendar': async ({ runtime }, host, port) => {
    const address = `https://${written(host)}:${port}`
    return openCalendars(runtime).discover({ username: 'a', password: 'b', origins: [address] }, address)
  },
  'an SMTP server': ({ carriers }, host, port) =>
    said(carriers.email?.send(mailAccount(host, port), cleared) ?? Promise.reject(new Error('None.'))),
  'an IMAP server': async ({ carriers }, host, port) => {
    const entries = carriers.email?.readMailbox?.(mailAccount(host, port), {
      position: null,
      since: new Date(),
    })
    return said(Array.fromAsync(entries ?? [])).then((text) => String(text).replace(host, 'HOST'))
  },
  'a Documenso server': ({ signing }, host, port) =>
    said(
      signing.documenso?.read(
        account('documenso', { settings: { url: `https://${written(host)}:${port}` } }),
        'envelope',
      ) ?? Promise.reject(new Error('None.')),
    ),
}
const calls = Object.entries(callsOfPersons)

let app: TestApp
let canary: Canary
/** Ports of this machine with nothing, with a server that closes connections, and with servers that respond. */
let ports: Record<string, number>
const opened = new AsyncDisposableStack()
let visits = 0
/** The connections to each of them. */
let counted: (() => number)[]

beforeAll(async () => {
  app = opened.use(await testApp({ egress: { ...publicOnly, resolve: async () => [loopback] } }))
  canary = opened.use(await startCanary())
  const mail = opened.use(await mailServer())
  const web = createServer((_request, response) => response.end('here')).on('connection', () => void visits++)
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  opened.defer(() => void web.close())
  const closed = await startCanary()
  await closed[Symbol.asyncDispose]()
  ports = {
    nothing: closed.port,
    'a server that closes': canary.port,
    'a mail server': mail.port,
    'a web server': (web.address() as AddressInfo).port,
  }
  counted = [() => canary.connections, () => mail.connections, () => visits]
})
afterAll(() => opened.disposeAsync())

const loopback = { address: '127.0.0.1', family: 4 } as const

const privateHosts = ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'fd00::1', 'localhost', 'db', 'db.internal']

test.for(calls)('%s at a private address gets one response, whatever is there', async ([, call]) => {
  const responses = new Set<string>()
  for (const port of Object.values(ports))
    for (const host of [...privateHosts, 'resolves.example.com'])
      responses.add(JSON.stringify(await call(app, host, port)))
  expect([...responses]).toEqual([expect.stringContaining(notPublic)])
  expect(counted.map((count) => count())).toEqual([0, 0, 0])
})

test.for(calls)('EGRESS_ALLOW admits %s by host and port, by name, and by network', async ([, call]) => {
  await using here = await startCanary({ host: '127.0.0.1' })
  const lists = [`127.0.0.1:${here.port}`, '127.0.0.0/8'].map((list) => ['127.0.0.1', list] as const)
  const named = [`sign.internal:${here.port}`, `[::1]:1,127.0.0.0/30`].map(
    (list) => ['sign.internal', list] as const,
  )
  for (const [host, list] of [...lists, ...named]) {
    await using other = await testApp({ egress: { ...allowing(list), resolve: async () => [loopback] } })
    const before = here.connections
    expect(JSON.stringify(await call(other, host, here.port)), list).not.toContain(notPublic)
    expect(here.connections, list).toBeGreaterThan(before)
    expect(JSON.stringify(await call(other, '10.0.0.1', here.port))).toContain(notPublic)
  }
})

describe('if a name server changes its mind', () => {
  test.for(calls)('%s with a public address at first is not called at a private one', async ([, call]) => {
    let first = true
    const resolve = async () => (first ? [{ address: elsewhere, family: 4 as const }] : [loopback])
    await using other = await testApp({ egress: { ...publicOnly, resolve } })
    const { egress } = other.runtime
    const server = { host: 'moves.example.com', port: canary.port }
    expect(await egress.inspect(`https://${server.host}:${server.port}`)).toBeUndefined()
    expect(await egress.inspect(server)).toBeUndefined()
    first = false
    expect(JSON.stringify(await call(other, server.host, server.port))).toContain(notPublic)
    expect(canary.connections).toBe(0)
  })

  test('SMTP and IMAP connect to the address that was checked, and ask no one again', async () => {
    await using here = await startCanary({ host: '127.0.0.1' })
    await using stray = await startCanary({ host: '127.0.0.2', port: here.port })
    await using names = await startNameServer((_name, type, before) => {
      if (type === 'AAAA') return []
      return before === 0 ? ['127.0.0.1'] : ['127.0.0.2']
    })
    await using other = await testApp({ egress: { ...allowing('127.0.0.1/32'), resolve: names.resolve } })
    for (const call of ['an SMTP server', 'an IMAP server']) {
      const host = `${call.replaceAll(' ', '-').toLowerCase()}.example.com`
      const before = here.connections
      expect(JSON.stringify(await callsOfPersons[call]?.(other, host, here.port))).not.toContain(notPublic)
      expect(here.connections).toBe(before + 1)
      expect(names.asked.filter((one) => one.endsWith(host)).toSorted()).toEqual([
        `A ${host}`,
        `AAAA ${host}`,
      ])
    }
    expect(stray.connections).toBe(0)
  })
})

test('a connection is saved only with addresses that may be called', async () => {
  const { ctx } = await app.workspace()
  const common = { name: 'Ours', account: 'office', secret: 'a b' }
  const save = (provider: 'email' | 'documenso', settings: Record<string, string>) =>
    createConnection(ctx, { ...common, provider, settings }).then(
      () => [],
      ({ body }) => body.details,
    )
  const rejected = (name: string) => ({ path: `settings.${name}`, message: `cannot be used: ${notPublic}` })
  for (const host of privateHosts) {
    const at = written(host)
    expect(await save('documenso', { url: `https://${at}` }), host).toEqual([rejected('url')])
    expect(await save('documenso', { url: `http://${at}:3000` }), host).toEqual([rejected('url')])
    expect(await save('email', { smtp: `smtp://${at}`, imap: `imaps://${at}` }), host).toEqual([
      rejected('smtp'),
      rejected('imap'),
    ])
  }
  expect(await save('email', { smtp: 'smtp://resolves.example.com' })).toEqual([rejected('smtp')])
  expect(await save('email', { smtp: `smtp://${elsewhere}` })).toEqual([])
})

test('an address of the environment may be private', async () => {
  const model = { name: 'm', key: undefined, price: { input: 0, output: 0 }, reasoning: undefined }
  await using here = await startCanary({ host: '127.0.0.1' })
  const url = `http://127.0.0.1:${here.port}`
  await using models = openModel({
    egress: publicOnly,
    simulatedCarrierUrl: undefined,
    model: { ...model, url },
  })
  await models.model?.propose({ system: '', turns: [], schema: {}, maxTokens: 1 })
  const asked = here.connections
  expect(asked).toBeGreaterThan(0)
  const s3 = { endpoint: url, bucket: 'b', region: 'r', accessKeyId: 'a', secretAccessKey: 's' }
  await using other = await testApp({ egress: publicOnly, s3 })
  expect(here.connections).toBeGreaterThan(asked)
  expect(await other.runtime.egress.inspect(url)).toBe(notPublic)
})

test('the simulated carrier may be called, by accounts on it, over each of its protocols', async () => {
  const { now } = systemClock
  await using simulated = await startCarrier({ host: '127.0.0.1', port: 0, now })
  await using other = await testApp({ egress: publicOnly, simulatedCarrierUrl: simulated.origin })
  const { carriers, signing, voice } = other
  const mail = { ...twilioAccount, provider: 'email' } as const
  // A connection was opened: only then is the message opened, and this one was never cleared.
  expect(await carriers.email?.send(mail, cleared)).toMatchObject({ kind: 'unknown' })
  const mailbox = carriers.email?.readMailbox?.(mail, { position: null, since: now() })
  expect(await Array.fromAsync(mailbox ?? [])).toHaveLength(1)
  expect(await carriers.twilio?.listInbound(twilioAccount, now())).toEqual([])
  expect(await voice.retell?.test({ ...twilioAccount, provider: 'retell' })).not.toBe('unreachable')
  expect(await signing.documenso?.read({ ...twilioAccount, provider: 'documenso' }, 'x')).toMatchObject({
    fault: expect.not.stringContaining('unavailable'),
  })
})

test('a provider whose hosts are in the code is not called at a private address', async () => {
  const real = { simulated: false, name: 'AC1' }
  const { carriers, voice } = app
  const recording = 'https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/RE1'
  for (const work of [
    carriers.twilio?.listInbound({ ...twilioAccount, ...real }, new Date()),
    carriers.whatsapp?.listTemplates?.({ ...whatsAppAccount, ...real }),
    voice.twilio?.fetchRecording({ ...twilioAccount, ...real }, recording),
  ])
    await expect(work).rejects.toThrow(notPublic)
  expect(await voice.retell?.test({ ...twilioAccount, ...real })).toBe('unreachable')
})
