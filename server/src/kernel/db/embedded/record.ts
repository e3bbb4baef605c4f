import { randomBytes } from 'node:crypto'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresError, codeOf } from './embedded-postgres-error.ts'

/** What the data directory remembers of its cluster, in postgres.json, readable by its owner only. */
export interface ClusterRecord {
  /** Tells this cluster's processes from any other PostgreSQL's. */
  id: string
  password: string
  /** Relative to the data directory, so that both can be moved together; absolute where the data lies elsewhere. */
  place: string
  /** Where PostgreSQL last listened; kept when it is still free. */
  port: number
  /** True once the cluster was made. From then on its absence is a loss to report, not a first run. */
  made: boolean
}

const fileOf = (dataDir: string) => join(dataDir, 'postgres.json')

export function newRecord(place: (id: string) => Promise<string>): Promise<ClusterRecord> {
  const id = randomBytes(6).toString('hex')
  const password = randomBytes(24).toString('base64url')
  return place(id).then((at) => ({ id, password, place: at, port: 0, made: false }))
}

export async function readRecord(dataDir: string): Promise<ClusterRecord | undefined> {
  const file = fileOf(dataDir)
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw new EmbeddedPostgresError(`${file} cannot be read: run Gable as the user who ran it before.`, {
      cause,
    })
  })
  if (text === undefined) return undefined
  const record = parseRecord(text)
  if (record === undefined) throw new EmbeddedPostgresError(`${file} is damaged: restore it from a copy.`)
  return record
}

function parseRecord(text: string): ClusterRecord | undefined {
  try {
    const { id, password, place, port, made } = JSON.parse(text) as Partial<
      Record<keyof ClusterRecord, unknown>
    >
    if (typeof id !== 'string' || typeof password !== 'string' || typeof place !== 'string') return undefined
    if (typeof port !== 'number' || typeof made !== 'boolean') return undefined
    return { id, password, place, port, made }
  } catch {
    return undefined
  }
}

/** Replaces the whole file at once and on disk: a password lost in a power cut would lock the data away. */
export async function writeRecord(dataDir: string, record: ClusterRecord): Promise<void> {
  const draft = `${fileOf(dataDir)}.draft`
  const { uid, gid } = await stat(dataDir)
  {
    await using file = await open(draft, 'w', 0o600)
    await file.writeFile(`${JSON.stringify(record, null, 2)}\n`)
    // What root does once must not lock out the directory's owner.
    if (process.getuid?.() === 0) await file.chown(uid, gid)
    await file.sync()
  }
  await rename(draft, fileOf(dataDir))
}
