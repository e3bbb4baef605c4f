import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { newId } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import type { FileStore } from '../../modules/files/ports.ts'
import { bucketKeys, startBucket } from './bucket.fixtures.ts'
import { diskStore } from './disk-store.ts'
import { s3Store } from './s3-store.ts'

const at = systemClock.now()
const newPlace = () => ({ workspaceId: newId(at), fileId: newId(at) })

let folder: string
let server: Awaited<ReturnType<typeof startBucket>>
const bucket = { endpoint: '', region: 'us-east-1', bucket: 'lantern-and-oak', ...bucketKeys }
const egress = createEgress({ allowHttp: 'all', allowPrivate: 'all' })

const inBucket = (change: Partial<typeof bucket> = {}) =>
  s3Store(
    { ...bucket, ...change },
    { egress, clock: systemClock, log: createLog('silent'), waitingFolder: join(folder, 'waiting') },
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gable-stores-'))
  server = await startBucket(join(folder, 'bucket'), bucket.bucket)
  bucket.endpoint = server.endpoint
})

afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function* pieces(content: Buffer, fault?: Error) {
  for (let from = 0; from < content.length; from += 50_000) yield content.subarray(from, from + 50_000)
  if (fault !== undefined) throw fault
}

const read = async (store: FileStore, ...asked: Parameters<FileStore['get']>) => {
  const stream = await store.get(...asked)
  return stream && buffer(stream)
}

describe.each([
  ['a folder', () => diskStore(join(folder, 'files'), systemClock)],
  ['a bucket', () => inBucket()],
])('files in %s', (_, open) => {
  const content = randomBytes(200_000)

  test('are read in whole and in part', async () => {
    const store = open()
    await store.check()
    const place = newPlace()
    await store.put(place, pieces(content))
    expect((await read(store, place))?.equals(content)).toBe(true)
    for (const [first, last] of [
      [0, 9],
      [1000, 99_999],
      [199_999, 199_999],
    ] as const)
      expect((await read(store, place, { first, last }))?.equals(content.subarray(first, last + 1))).toBe(
        true,
      )
  })

  test('can be empty, replaced, and deleted', async () => {
    const store = open()
    const place = newPlace()
    await store.put(place, pieces(content))
    await store.put(place, pieces(Buffer.alloc(0)))
    expect(await read(store, place)).toHaveLength(0)
    await store.delete(place)
    expect(await store.get(place)).toBeUndefined()
    await store.delete(place)
  })

  test('are written whole or not at all', async () => {
    const store = open()
    const place = newPlace()
    await expect(store.put(place, pieces(content, new Error('cut off')))).rejects.toThrow('cut off')
    expect(await store.get(place)).toBeUndefined()
    await store.put(place, pieces(Buffer.from('before')))
    await expect(store.put(place, pieces(content, new Error('cut off')))).rejects.toThrow('cut off')
    expect(String(await read(store, place))).toBe('before')
    const passing = [join(folder, 'files', 'partial'), join(folder, 'waiting')]
    for (const one of passing) expect(await readdir(one).catch(() => [])).toEqual([])
  })

  test('are not visible to another workspace', async () => {
    const store = open()
    const place = newPlace()
    await store.put(place, pieces(content))
    expect(await store.get({ ...place, workspaceId: newId(at) })).toBeUndefined()
  })

  test.for(['..', '../other', '', 'c/../../etc/passwd', 'C'.repeat(25)])(
    'cannot be addressed by the path %j',
    async (path) => {
      const store = open()
      for (const place of [
        { ...newPlace(), fileId: path },
        { ...newPlace(), workspaceId: path },
      ]) {
        await expect(async () => store.put(place, pieces(content))).rejects.toThrow('found by ids')
        await expect(async () => store.get(place)).rejects.toThrow('found by ids')
        await expect(async () => store.delete(place)).rejects.toThrow('found by ids')
      }
    },
  )
})

test('the startup check rejects a folder that cannot be written', async () => {
  await writeFile(join(folder, 'taken'), '')
  await expect(diskStore(join(folder, 'taken'), systemClock).check()).rejects.toThrow(
    /^Cannot write files to \S+ \((ENOTDIR|EEXIST)\)\. Set DATA_DIR/,
  )
})

test.for([
  ['a folder', () => diskStore(join(folder, 'left-over'), systemClock), ['left-over', 'partial']],
  ['a bucket', () => inBucket(), ['waiting']],
] as const)(
  'the startup check removes partial files older than a day and nothing else: %s',
  async ([, open, path]) => {
    const partial = join(folder, ...path)
    const store = open()
    await store.check()
    const old = new Date(at.getTime() - 25 * 3_600_000)
    for (const name of ['old', 'new']) await writeFile(join(partial, name), 'half')
    await utimes(join(partial, 'old'), old, old)
    await store.check()
    expect(await readdir(partial)).toEqual(['new'])
  },
)

test.for([
  ['another bucket', { bucket: 'another' }, 'NoSuchBucket (status 404)'],
  ['a wrong key', { accessKeyId: 'AKIAWRONG' }, 'InvalidAccessKeyId (status 403)'],
  ['a wrong secret', { secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch (status 403)'],
] as const)('the startup check rejects a bucket that rejects files: %s', async ([, change, fault]) => {
  const check = inBucket(change).check()
  await expect(check).rejects.toThrow(`rejects files: ${fault}`)
  await expect(check).rejects.not.toThrow(bucket.accessKeyId)
})

test('an unreachable bucket passes the startup check, but writes fail', async () => {
  const store = inBucket({ endpoint: 'http://127.0.0.1:1' })
  await store.check()
  await expect(store.put(newPlace(), pieces(Buffer.from('x')))).rejects.toThrow('connection refused')
})
