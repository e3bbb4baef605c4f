import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { bucketKeys, startBucket } from './bucket.fixtures.ts'
import { s3StopJournal } from './s3-stop-journal.ts'
import { stopJournal } from './stop-journal.ts'

let folder: string
let server: Awaited<ReturnType<typeof startBucket>>
const bucket = { endpoint: '', region: 'us-east-1', bucket: 'lantern-and-oak', ...bucketKeys }
const egress = createEgress({ allowHttp: 'all', allowPrivate: 'all' })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gable-journals-'))
  server = await startBucket(join(folder, 'bucket'), bucket.bucket)
  bucket.endpoint = server.endpoint
})
afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const inBucket = (...ids: [string, ...string[]]) =>
  s3StopJournal(bucket, { egress, clock: systemClock }, async () => ids)

const filled = async (lines: AsyncIterable<string>) =>
  (await Array.fromAsync(lines)).filter((line) => line !== '')

describe.each([
  ['a folder', (...ids: [string, ...string[]]) => stopJournal(join(folder, 'backups'), async () => ids)],
  ['a bucket', inBucket],
])('the journal in %s', (_, open) => {
  test('has every line and the last time of coverage, for whichever process reads it', async () => {
    const journal = open('one')
    expect([await filled(journal.all()), await journal.findCovered()]).toEqual([[], undefined])
    await journal.append([])
    await journal.append(['first', 'second'])
    await journal.append(['third'])
    for (const time of ['2026-03-02T18:00:00.000Z', '2026-03-02T18:00:30.000Z'])
      await journal.saveCovered(new Date(time))
    const again = open('one')
    for (const lines of [again.own(), again.all()])
      expect(await filled(lines)).toEqual(['first', 'second', 'third'])
    expect((await again.findCovered())?.toISOString()).toBe('2026-03-02T18:00:30.000Z')
  })

  test('of one installation says nothing about another one in the same place', async () => {
    await open('own').append(['own'])
    await open('own').saveCovered(new Date('2026-03-02T18:00:00.000Z'))
    const other = open('owner')
    expect([await filled(other.own()), await filled(other.all()), await other.findCovered()]).toEqual([
      [],
      [],
      undefined,
    ])
  })

  test('of a copy has the lines of its original, and writes its own', async () => {
    const original = open('original')
    await original.append(['of the original'])
    await original.saveCovered(new Date('2026-03-02T18:00:00.000Z'))
    const copy = open('copy', 'original')
    await copy.append(['of the copy'])
    expect(await filled(copy.own())).toEqual(['of the copy'])
    expect((await filled(copy.all())).toSorted()).toEqual(['of the copy', 'of the original'])
    expect((await copy.findCovered())?.toISOString()).toBe('2026-03-02T18:00:00.000Z')
    await copy.saveCovered(new Date('2026-03-02T18:01:00.000Z'))
    expect(await filled(original.all())).toEqual(['of the original'])
    expect((await original.findCovered())?.toISOString()).toBe('2026-03-02T18:00:00.000Z')
  })
})

test('in a bucket, a process that starts merges many small objects; nothing is lost', async () => {
  const journal = inBucket('many')
  const lines = Array.from({ length: 201 }, (_, n) => `line ${n}`)
  await Promise.all(lines.map((line) => journal.append([line])))
  const objects = async () =>
    (await readdir(join(folder, 'bucket', bucket.bucket, 'gable-stops', 'many', 'lines'))).filter((name) =>
      name.endsWith('._S3rver_object'),
    ).length
  expect(await objects()).toBe(201)
  expect((await filled(journal.own())).toSorted()).toEqual(lines.toSorted())
  expect(await objects()).toBe(1)
  await journal.append(['one more'])
  expect((await filled(journal.all())).at(-1)).toBe('one more')
})
