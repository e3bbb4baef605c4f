import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { apiBase } from '@gable/server/src/api.ts'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { type DataDirectory, newDataDirectory } from './data-directory.ts'
import { type GableProcess, spawnGable, startGable } from './gable-process.ts'

vi.setConfig({ testTimeout: 180_000 })

/** Empty at first. */
let shared: DataDirectory
beforeAll(async () => void (shared = await newDataDirectory()))
afterAll(() => shared[Symbol.asyncDispose]())

/** Its output for people: everything except the log. */
const saidPlainly = ({ stderr }: GableProcess) =>
  stderr()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))

/** Posts the form of the sign-in page. */
const signsIn = async (origin: string, owner: { email: string; password: string } | undefined) =>
  (
    await fetch(`${origin}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(owner),
    })
  ).status

test('the first start prints its keys on one line; the second keeps the data and prints no keys', async ({
  annotate,
}) => {
  const data = shared
  let id: string
  {
    await using first = await startGable({ DATA_DIR: data.path })
    const workspaces = first.ready.workspaces.map(() => ({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/) as string,
      name: expect.any(String) as string,
      api_key: expect.stringMatching(/^gbl_key_\w{49}$/) as string,
      owner: {
        email: expect.stringMatching(/@.+\.example$/) as string,
        password: expect.stringMatching(/^\w{4}(-\w{4}){3}$/) as string,
      },
    }))
    expect(workspaces.length).toBeGreaterThan(0)
    expect(first.ready).toEqual({
      ready: true,
      base_url: first.origin + apiBase,
      auth_url: `${first.origin}/oauth`,
      docs_url: `${first.origin}/docs`,
      sign_in_url: `${first.origin}/sign-in`,
      mail_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mail\/[\w-]{43}$/),
      phone_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/phone\/[\w-]{43}$/),
      workspaces,
    })
    for (const { api_key: key = '' } of first.ready.workspaces) {
      const { status, body } = await ask(first.base, { path: '/contacts?limit=2', key })
      expect({ status, count: body['data'].length }).toEqual({ status: 200, count: 2 })
    }
    for (const { owner } of first.ready.workspaces) expect(await signsIn(first.origin, owner)).toBe(303)
    const key = first.ready.workspaces[0]?.api_key ?? ''
    id = (await ask(first.base, { method: 'POST', path: '/contacts', key, body: { last_name: 'Kept' } }))
      .body['id']
    first.kill('SIGTERM')
    expect(await first.exit).toEqual({ code: 0, signal: null })
    expect(first.stdout()).toMatch(/^\{.*\}\n$/)

    const since = performance.now()
    await using second = await startGable({ DATA_DIR: data.path })
    await annotate(`The second start took ${((performance.now() - since) / 1000).toFixed(1)} s.`)
    expect(second.stdout()).toMatch(/^\{.*\}\n$/)
    expect(second.ready.workspaces).toEqual(
      first.ready.workspaces.map(({ id: kept, name }) => ({ id: kept, name })),
    )
    expect((await ask(second.base, { path: `/contacts/${id}`, key })).body['last_name']).toBe('Kept')
  }
})

test('the start after a killed first start completes the demo data of each workspace once', async ({
  skip,
}) => {
  await using data = await newDataDirectory()
  {
    await using first = spawnGable({ DATA_DIR: data.path })
    await first.until(() => first.stderr().includes('schema migrated'))
    first.kill('SIGKILL')
    await first.exit
    skip(first.stdout() !== '', 'It was ready before it could be killed.')
  }
  await using next = await startGable({ DATA_DIR: data.path })
  const names = next.ready.workspaces.map(({ name }) => name)
  expect(names.length).toBeGreaterThan(0)
  expect(new Set(names).size).toBe(names.length)
  for (const { api_key: key = '', owner } of next.ready.workspaces) {
    expect((await ask(next.base, { path: '/contacts', key })).status).toBe(200)
    expect(await signsIn(next.origin, owner)).toBe(303)
  }
})

test('a data directory in use is rejected in one sentence, and the running server continues', async () => {
  const data = shared
  await using holder = await startGable({ DATA_DIR: data.path })
  const postmaster = await data.postmaster()
  await using other = spawnGable({ DATA_DIR: data.path })
  expect(await other.exit).toEqual({ code: 1, signal: null })
  expect(other.stdout()).toBe('')
  expect(saidPlainly(other)).toHaveLength(1)
  expect(saidPlainly(other)[0]).toContain(data.path)
  expect(saidPlainly(other)[0]).toContain(String(holder.pid))
  expect(await data.postmaster()).toBe(postmaster)
  expect((await fetch(`${holder.origin}/readyz`)).status).toBe(200)
})

test('a taken port is reported in one sentence, before anything is created', async () => {
  await using data = await newDataDirectory()
  await using taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  await using gable = spawnGable({ DATA_DIR: data.path, PORT: String(port) })
  expect(await gable.exit).toEqual({ code: 1, signal: null })
  expect(gable.stdout()).toBe('')
  expect(gable.stderr()).toBe(`Port ${port} is taken. Choose another: PORT=8081 npm start\n`)
  expect(await data.entries()).toEqual([])
})

test('all configuration issues are reported together, without the value of a secret', async () => {
  await using data = await newDataDirectory()
  const faulty = {
    PORT: '80800',
    ROLE: 'boss',
    LOG_LEVEL: 'loud',
    PUBLIC_URL: 'here',
    DATABASE_URL: 'mysql://u:hunter2@h/d',
    APP_SECRET: 'hush',
    SMTP_URL: 'http://u:hunter2@h',
    MAIL_FROM: 'not an address',
  }
  await using gable = spawnGable({ DATA_DIR: data.path, ...faulty })
  expect(await gable.exit).toEqual({ code: 1, signal: null })
  expect(gable.stdout()).toBe('')
  for (const name of Object.keys(faulty)) expect(gable.stderr()).toMatch(new RegExp(`^ *${name} `, 'm'))
  expect(gable.stderr()).not.toMatch(/hunter2|hush|^ +at /m)
  expect(await data.entries()).toEqual([])
})

test('a DATABASE_URL whose server is unreachable is reported in one sentence, without its password', async () => {
  await expectOneSentence('postgres://u:hunter2@127.0.0.1:1/d')
})

test('a DATABASE_URL whose database does not exist is reported in one sentence, without its password', async () => {
  const url = new URL(inject('databases').serverUrl)
  url.password ||= 'hunter2'
  url.pathname = '/gable_nowhere'
  await expectOneSentence(url.href)
})

test('a DATABASE_URL whose server never responds is reported in one sentence, without its password', async () => {
  await using silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const sockets: Socket[] = []
  silent.on('connection', (socket) => sockets.push(socket))
  try {
    await expectOneSentence(`postgres://u:hunter2@127.0.0.1:${(silent.address() as AddressInfo).port}/d`)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

async function expectOneSentence(url: string): Promise<void> {
  await using gable = spawnGable({
    DATABASE_URL: url,
    APP_SECRET: 'a secret that only the tests know and long enough',
  })
  await gable.over({ within_ms: 15_000 })
  expect(await gable.exit).toEqual({ code: 1, signal: null })
  expect(gable.stdout()).toBe('')
  expect(gable.stderr()).not.toContain(new URL(url).password)
  expect(saidPlainly(gable)).toEqual([expect.stringContaining('DATABASE_URL')])
}
