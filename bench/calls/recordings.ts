import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { diskStore } from '@gable/server/src/adapters/storage/disk-store.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { createContext } from '@gable/server/src/kernel/context.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'
import { addCall } from '@gable/server/src/modules/calls/public.ts'
import { reserveFile, storeFile } from '@gable/server/src/modules/files/public.ts'
import { openRuntime } from '@gable/server/src/runtime.ts'
import { postmasterOf } from '../cpu.ts'
import { progress } from '../progress.ts'
import type { Brokerage } from '../records/scene.ts'
import { type Measured, takeTurns } from '../rounds.ts'
import { startServer } from '../server-process.ts'

/** Bytes of a half-minute recording, and of one too large for socket buffers. */
const [usual, large] = [512 * 1024, 40 * 2 ** 20]
const files = join(tmpdir(), 'gable-bench', 'files')
const streams = [1, 50, 200] as const

/** Resident memory in megabytes of a server with this many slow streams open. */
export interface Memory {
  streams: number
  gable: number
  bare: number
}

/** Adds a call with a recording of this many bytes. Returns the path of the recording and the id of the call. */
async function addRecording(url: string, workspaceId: string, bytes: number) {
  const runtime = openRuntime({
    databaseUrl: url,
    appSecrets: [randomBytes(32).toString('hex')],
    clock: systemClock,
    log: createLog('warn'),
    checkRows: false,
    egress: { allowHttp: 'none', allowPrivate: 'none' },
  })
  await using _database = runtime.database
  await using _egress = runtime.egress
  const actor = { type: 'system', id: null, name: 'bench' }
  const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
  const file = { name: 'recording.wav', media_type: 'audio/wav', scope: 'calls:read' } as const
  const fileId = await ctx.transaction(async (tx) => reserveFile(tx, file))
  const store = diskStore(files, systemClock)
  await store.check()
  const content = async function* () {
    for (let n = 0; n < bytes; n += 512 * 1024) yield randomBytes(512 * 1024)
  }
  await storeFile(ctx, store, fileId, async () => content(), bytes)
  const at = systemClock.now().toISOString()
  const recorded = { recording_file_id: fileId, recording_stored_at: at, completed_at: at }
  const { id } = await ctx.transaction((tx) =>
    addCall(tx, { status: 'completed', started_at: at, ended_at: at, ...recorded }),
  )
  return { id, path: join(files, workspaceId, fileId.slice(-2), fileId) }
}

/** Opens `count` streams and reads only the first bytes of each. Returns the server's resident megabytes meanwhile. */
async function residentWith(count: number, url: string, pid: number): Promise<number> {
  const opened = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof get>>((resolve, reject) => {
          const request = get(url, { agent: false }, (response) => {
            if (response.statusCode === 200) resolve(request)
            else reject(new Error(`A recording was not served: status ${response.statusCode}.`))
          }).on('error', reject)
        }),
    ),
  )
  await sleep(2_000)
  const [, kilobytes = ''] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  for (const request of opened) request.on('error', () => undefined).destroy()
  return Number(kilobytes) / 1024
}

/** Measures serving a recording against a bare file server, and the memory that both use for slow streams. */
export async function measureRecordings(
  url: string,
  { workspaceId, keys: [key = ''] }: Brokerage,
  { rounds, seconds, connections }: { rounds: number; seconds: number; connections: number },
): Promise<{ serving: Measured; memory: Memory[] }> {
  const [small, slow] = [
    await addRecording(url, workspaceId, usual),
    await addRecording(url, workspaceId, large),
  ]
  const postmaster = await postmasterOf(url).catch(() => undefined)
  await using product = await startServer('product-server.ts', url)
  await using bare = await startServer('calls/bare-file-server.ts', small.path)
  await using bareSlow = await startServer('calls/bare-file-server.ts', slow.path)
  const linkOf = async (id: string): Promise<string> => {
    const response = await fetch(`${product.url}/v1/calls/${id}`, {
      headers: { authorization: `token ${key}` },
    })
    return ((await response.json()) as { recording_url: string }).recording_url
  }
  const path = new URL(await linkOf(small.id)).pathname
  const subjects = [
    { name: 'Gable', server: product, next: () => ({ method: 'GET', path }) as const },
    { name: 'bare', server: bare, next: () => ({ method: 'GET', path: '/' }) as const },
  ]
  const title = 'GET /recordings'
  const serving = await takeTurns({ title, connections, seconds, postmaster, subjects }, rounds)
  const memory: Memory[] = []
  for (const count of streams) {
    const gable = await residentWith(count, await linkOf(slow.id), product.pid ?? 0)
    const beside = await residentWith(count, bareSlow.url, bareSlow.pid ?? 0)
    memory.push({ streams: count, gable, bare: beside })
    progress(`${count} slow streams: ${gable.toFixed(0)} MB, bare ${beside.toFixed(0)} MB`)
  }
  return { serving, memory }
}
