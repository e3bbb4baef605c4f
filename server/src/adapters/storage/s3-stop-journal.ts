import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Clock } from '#kernel/clock.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import { newId } from '#kernel/ids.ts'
import type { StopJournal } from '../../modules/compliance/ports.ts'
import { type S3Bucket, bucketErrorOf, isMissing, requireSuccess, s3Client } from './s3-client.ts'
import { latest, machineName } from './stop-journal.ts'

interface Listed {
  key: string
  size: number
}

const isName = (name: string) => /^(?!\.{1,2}$)[\w.-]+$/.test(name)

/** No object of the journal is larger: each has the lines of one append, or small ones that were merged. */
const maxBytes = 64 * 2 ** 20

/** More small objects than this are merged into one when a process starts to write. */
const mergedFrom = 200
const smallBytes = 65_536

/**
 * The journal of an installation as objects in a bucket, which can only be written whole: one for each append, in the order of
 * their names. All processes of the installation write and read the same journal. Needs the permission to list the bucket.
 */
export function s3StopJournal(
  bucket: S3Bucket,
  { egress, clock }: { egress: Egress; clock: Clock },
  installationIds: () => Promise<readonly [string, ...string[]]>,
): StopJournal {
  const send = s3Client(bucket, { egress, clock, maxBytes })
  const linesOf = (id: string) => `gable-stops/${id}/lines/`
  const coveredOf = (id: string) => `gable-stops/${id}/covered/`
  const ownId = async () => (await installationIds())[0]

  async function* list(prefix: string): AsyncGenerator<Listed> {
    for (let after = ''; ;) {
      const query = { 'list-type': '2', prefix, ...(after !== '' && { 'start-after': after }) }
      const reply = await send('GET', '', { query })
      if (reply.status !== 200) throw await bucketErrorOf(reply)
      const [, ...found] = (await text(reply.body)).split('<Contents>')
      const page = found.map((one) => ({
        key: /<Key>([^<]*)<\/Key>/.exec(one)?.[1] ?? '',
        size: Number(/<Size>(\d+)<\/Size>/.exec(one)?.[1]),
      }))
      if (page.length === 0) return
      const last = page.at(-1)?.key ?? ''
      if (last <= after) throw new Error('The bucket lists the same objects again.')
      // Another writer of the bucket may have named an object so that its address is that of another.
      yield* page.filter(({ key }) => key.startsWith(prefix) && isName(key.slice(prefix.length)))
      after = last
    }
  }
  async function read(key: string): Promise<string> {
    const reply = await send('GET', key)
    if (reply.status !== 200) throw await bucketErrorOf(reply)
    return text(reply.body)
  }
  async function put(key: string, content: string): Promise<void> {
    const bytes = Buffer.from(content)
    const headers = { 'content-length': String(bytes.length) }
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await requireSuccess(await send('PUT', key, { headers, body: Readable.from([bytes]), sha256 }))
  }

  /** Merges the small objects. Others may read meanwhile: what they miss then is in the merged one. */
  async function merge(): Promise<void> {
    const small = (await Array.fromAsync(list(linesOf(await ownId())))).filter(
      ({ size }) => size < smallBytes,
    )
    const last = small.at(-1)
    if (last === undefined || small.length < mergedFrom) return
    let content = ''
    for (const { key } of small) content += await read(key)
    await put(`${last.key}-merged`, content)
    for (const { key } of small) await requireSuccess(await send('DELETE', key))
  }

  async function* readLines(id: string): AsyncGenerator<string> {
    for (let tries = 1; ; tries++) {
      try {
        for await (const { key } of list(linesOf(id))) yield* (await read(key)).split('\n')
        return
      } catch (error) {
        // Another process has merged what was listed. Lines may come twice.
        if (!isMissing(error) || tries === 3) throw error
      }
    }
  }

  return {
    async *own() {
      await merge()
      yield* readLines(await ownId())
    },
    async *all() {
      for (const id of await installationIds()) yield* readLines(id)
    },
    async append(lines) {
      if (lines.length > 0)
        await put(`${linesOf(await ownId())}${newId(clock.now())}`, `${lines.join('\n')}\n`)
    },
    saveCovered: async (until) => put(`${coveredOf(await ownId())}${machineName()}`, until.toISOString()),
    async findCovered() {
      const found = await Promise.all(
        (await installationIds()).map((id) => Array.fromAsync(list(coveredOf(id)))),
      )
      return latest(await Promise.all(found.flat().map(({ key }) => read(key))))
    },
  }
}
