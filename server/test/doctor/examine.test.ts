import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { testMailServer, openProvided } from '../../src/app.ts'
import { type Examined, examine } from '../../src/doctor/examine.ts'
import { checkDisk } from '../../src/doctor/machine.ts'
import { checkPostgres } from '../../src/doctor/postgres.ts'
import { beginHold, endHold } from '../../src/modules/installation/public.ts'
import { certificateAuthority } from '../egress/certificates.ts'
import { type TestApp, appSecret, testApp } from '../support/app.ts'
import { asOwner, freshDatabase } from '../support/database.ts'
import { gableWith } from '../support/gable.ts'

const host = 'gable.example.com'

const opened = new AsyncDisposableStack()
let folder: string
let carrier: SimulatedCarrier
let app: TestApp
let all: Examined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gable-doctor-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const authority = await certificateAuthority()
  const server = createServer(await authority.issue(host), (_, response) => response.end('{"status":"ok"}'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  opened.defer(() => void server.close())
  const publicUrl = `https://${host}:${(server.address() as AddressInfo).port}`
  const egress = opened.use(
    createEgress({
      allowHttp: 'none',
      allowPrivate: 'loopback',
      ca: authority.ca,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    }),
  )
  carrier = opened.use(await startCarrier({ host: '127.0.0.1', port: 0, now: () => new Date() }))
  app = opened.use(
    await testApp({
      now: new Date(),
      databaseUrl: await freshDatabase('doctor'),
      role: 'all',
      publicUrl,
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  await app.workspace()
  const providers = opened.use(
    openProvided(app.runtime, {
      role: 'api',
      host: '127.0.0.1',
      trustProxy: 0,
      anonymousRateLimit: 1,
      dataDir: folder,
      egress: { allowHttp: 'none', allowPrivate: 'none' },
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  const mail = `smtp://gable:password@127.0.0.1:${Number(new URL(carrier.origin).port) + 1}`
  all = {
    runtime: app.runtime,
    providers,
    egress,
    publicUrl,
    folders: [folder],
    testMail: () => testMailServer({ url: mail, from: 'gable@lantern.example' }),
    isTrial: false,
  }
})
afterAll(() => opened.disposeAsync())

const environment = () => ({ DATABASE_URL: app.databaseUrl, APP_SECRET: appSecret, DATA_DIR: folder })
const gable = gableWith(environment)

const resultOf = async (check: string, changed: Partial<Examined> = {}) =>
  (await examine({ ...all, ...changed })).find((one) => one.check === check)

test('an installation with everything in place has no finding that failed', async () => {
  await all.providers.stops.saveCovered(app.clock.now())
  expect(await resultOf('backup')).toMatchObject({ result: 'failed' })
  await gable(['backup', join(folder, 'backup')])
  app.clock.set(new Date())
  const findings = await examine(all)
  expect(findings.filter(({ result }) => result === 'failed')).toEqual([])
  expect(findings.map(({ check }) => check)).toEqual([
    'public_url',
    'clock',
    'disk',
    'worker',
    'mail',
    'backup',
    'held',
    'opt_out_journal',
  ])
})

test('a held database, no worker, and a mail server that is not there have failed', async () => {
  const { directory } = app.runtime.database
  await asOwner(
    app.databaseUrl,
    `insert into installation (secret_check) values ('x') on conflict do nothing`,
  )
  const since = app.clock.now().toISOString()
  await beginHold(directory, { from: null, to: since })
  expect(await resultOf('held')).toMatchObject({ result: 'failed' })
  await directory.transaction((tx) => endHold(tx, since))
  expect(await resultOf('held')).toMatchObject({ result: 'ok' })

  expect(await resultOf('worker')).toMatchObject({ result: 'ok' })
  await using lonely = await testApp({ databaseUrl: await freshDatabase('doctor_lonely'), now: new Date() })
  expect(await resultOf('worker', { runtime: lonely.runtime })).toMatchObject({ result: 'failed' })

  expect(await resultOf('mail')).toMatchObject({ result: 'ok' })
  const testMail = () => testMailServer({ url: 'smtp://127.0.0.1:1', from: 'gable@lantern.example' })
  expect(await resultOf('mail', { testMail })).toMatchObject({
    result: 'failed',
    found: expect.stringContaining('ECONNREFUSED'),
  })
})

test('a full disk and a folder that cannot be used have failed', async () => {
  const full = async () => ({ bavail: 1, blocks: 1_000_000, bsize: 4096 })
  expect(await checkDisk([folder], full)).toMatchObject([{ result: 'failed', subject: folder }])
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  expect(await checkDisk([folder, folder, join(file, 'below')])).toMatchObject([
    { subject: folder },
    { result: 'failed', found: 'The folder cannot be used (ENOTDIR).' },
  ])
})

test('PostgreSQL is asked what it is, and a lost grant and a missing migration have failed', async () => {
  const url = await freshDatabase('doctor_postgres')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const results = async () =>
      Object.fromEntries((await checkPostgres(client)).map(({ check, result }) => [check, result]))
    expect(await results()).toMatchObject({ postgresql: 'ok', schema: 'ok', access: 'ok' })
    await client.query('revoke select on contacts from gable_app')
    expect(await results()).toMatchObject({ schema: 'ok', access: 'failed' })
    await client.query(`delete from migrations where name like '0041%'`)
    expect(await results()).toMatchObject({ schema: 'failed' })
    expect(await results()).not.toHaveProperty('access')
  } finally {
    await client.end()
  }
})

test('the command prints one value with --json, what to do as text, and fails if a check failed', async () => {
  const { code, out } = await gable(['doctor', '--json'])
  const { result, checks } = JSON.parse(out) as {
    result: string
    checks: { check: string; result: string }[]
  }
  expect([code, result]).toEqual([1, 'failed'])
  expect(checks).toContainEqual({
    check: 'public_url',
    subject: null,
    result: 'failed',
    found: 'PUBLIC_URL is not set.',
    action: expect.any(String),
  })
  const sorted = checks.map((one) => ['failed', 'warning', 'ok'].indexOf(one.result))
  expect(sorted).toEqual(sorted.toSorted())
  const text = (await gable(['doctor'])).out
  expect(text).toMatch(/^failed +public_url: PUBLIC_URL is not set\.\n +→ Set PUBLIC_URL/m)
})

test('without a database, with an empty one, and with another secret, the command says so and fails', async () => {
  const checksOf = async (env: Record<string, string>) => {
    const { code, out } = await gableWith(() => ({ ...environment(), ...env }))(['doctor', '--json'])
    expect(code).toBe(1)
    return (JSON.parse(out) as { checks: { check: string; result: string; action: string }[] }).checks
  }
  expect(await checksOf({ DATABASE_URL: 'postgres://127.0.0.1:1/gable' })).toMatchObject([
    { check: 'postgresql', result: 'failed', action: expect.stringContaining('DATABASE_URL') },
  ])
  const { serverUrl, prefix } = inject('databases')
  await asOwner(serverUrl, `create database ${prefix}_doctor_empty template template0`)
  const empty = new URL(serverUrl)
  empty.pathname = `/${prefix}_doctor_empty`
  expect(await checksOf({ DATABASE_URL: empty.href })).toContainEqual(
    expect.objectContaining({
      check: 'schema',
      result: 'failed',
      action: 'Run: npm run -s gable -- migrate',
    }),
  )
  expect(await readdir(folder)).not.toEqual([])
  const secrets = { APP_SECRET: 'another secret that is long enough for this' }
  await gable(['workspaces', 'list'])
  expect(await checksOf(secrets)).toContainEqual(
    expect.objectContaining({ check: 'secret', result: 'failed' }),
  )
})
