import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { newDatabase } from './databases.ts'
import { startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 240_000 })

const rssOf = async (pid: number) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

test.skipIf(process.platform !== 'linux')(
  'hundreds of large lists at once, for many callers, take a bounded amount of memory',
  async () => {
    const env = await newDatabase('list_memory')
    await using gable = await startGable({ ...env, ROLE: 'api', LOG_LEVEL: 'warn' })
    const keys = await newKeys(env.DATABASE_URL, 60)
    const ask = async (path: string, body?: object) => {
      const response = await fetch(gable.base + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `token ${keys.next()}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, bytes: (await response.arrayBuffer()).byteLength }
    }
    for (let i = 0; i < 200; i++) await ask('/contacts', { first_name: 'Ada', notes: 'x'.repeat(5000) })
    const { bytes } = await ask('/contacts?limit=200')
    const before = await rssOf(gable.pid)
    let most = before
    let over = false
    const watching = (async () => {
      while (!over) {
        most = Math.max(most, await rssOf(gable.pid))
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    })()
    const since = performance.now()
    const responses = await Promise.all(Array.from({ length: 600 }, () => ask('/contacts?limit=200')))
    const tookMs = performance.now() - since
    over = true
    await watching
    const times = []
    for (let i = 0; i < 3; i++) {
      await new Promise((resolve) => setTimeout(resolve, 5000))
      times.push(Math.round(await rssOf(gable.pid)))
    }
    const figures = { pageKiB: bytes / 1024, before, most, after5s: times, tookMs }
    console.log('RSS in MiB', figures)
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    // Less than all the pages together, of which each exists as rows and as text at the same time.
    expect(most - before).toBeLessThan((600 * bytes * 0.75) / 1024 / 1024)
  },
)
