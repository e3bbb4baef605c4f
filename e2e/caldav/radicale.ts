import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CalendarHost } from '@gable/server/test/caldav/calendar-server.ts'

const username = 'ada'
const password = 'p4ss-word-1'
const waitMs = 20_000

/** Whether a Radicale can be started here. */
export const hasRadicale = (): boolean => spawnSync('radicale', ['--version']).status === 0

/** A real Radicale on loopback, with a folder of its own, one person, a calendar and a list of tasks. */
export async function startRadicale(): Promise<CalendarHost> {
  const folder = await mkdtemp(join(tmpdir(), 'gable-radicale-'))
  const host = `127.0.0.1:${await freePort()}`
  await writeFile(join(folder, 'users'), `${username}:${password}\n`)
  const config = [
    '[server]',
    `hosts = ${host}`,
    '[auth]',
    'type = htpasswd',
    `htpasswd_filename = ${join(folder, 'users')}`,
    'htpasswd_encryption = plain',
    'delay = 0',
    '[storage]',
    `filesystem_folder = ${join(folder, 'collections')}`,
  ]
  await writeFile(join(folder, 'config'), `${config.join('\n')}\n`)
  const radicale = spawn('radicale', ['--config', join(folder, 'config')], { stdio: 'ignore' })
  const base = `http://${host}`
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const ask: CalendarHost['ask'] = (method, url, body, headers = {}) =>
    fetch(url, { method, headers: { authorization, ...headers }, ...(body === undefined ? {} : { body }) })
  const started: CalendarHost = {
    address: base,
    host,
    username,
    password,
    calendarUrl: `${base}/${username}/work/`,
    ask,
    async [Symbol.asyncDispose]() {
      await end(radicale)
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await waitFor(base)
    for (const [name, component] of [
      ['work', 'VEVENT'],
      ['todo', 'VTODO'],
    ])
      await ask('MKCALENDAR', `${base}/${username}/${name}/`, collectionOf(component ?? ''))
    return started
  } catch (error) {
    await started[Symbol.asyncDispose]()
    throw error
  }
}

const collectionOf = (component: string) =>
  `<?xml version="1.0"?><c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop><c:supported-calendar-component-set><c:comp name="${component}"/></c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>`

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

async function waitFor(url: string): Promise<void> {
  for (let left = waitMs; left > 0; left -= 100) {
    if (
      await fetch(url, { redirect: 'manual' }).then(
        () => true,
        () => false,
      )
    )
      return
    await sleep(100)
  }
  throw new Error('Radicale does not start.')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
