import { randomBytes } from 'node:crypto'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { type Account, accountOfCluster } from './account.ts'
import { EmbeddedPostgresError, codeOf } from './error.ts'
import { clusterExists } from './initdb.ts'
import { choosePlace } from './place.ts'

/** The database cluster of a data directory, running or not. */
export interface Cluster {
  dataDir: string
  /** Absolute path of PostgreSQL's files. */
  place: string
  /** Whether the files exist. */
  exists: boolean
  /** Part of the titles of its processes, which identifies them. */
  clusterName: string
  account: Account | undefined
  record: ClusterRecord
  logFile: string
  log: (line: string) => void
}

/** Reads the data directory's record, or creates one for a new cluster. The caller must hold the lock. */
export async function openCluster(
  dataDir: string,
  unprivileged: Account | undefined,
  log: (line: string) => void,
): Promise<Cluster> {
  const record = (await readRecord(dataDir)) ?? (await createRecord(dataDir, unprivileged))
  const place = resolve(dataDir, record.place)
  const exists = await clusterExists(place)
  if (record.made && !exists) {
    throw new EmbeddedPostgresError(
      `The database that ${dataDir} had in ${place} is gone: restore it, or delete ${join(dataDir, 'postgres.json')} to start with an empty one.`,
    )
  }
  return {
    dataDir,
    place,
    exists,
    clusterName: `gable-${record.id}`,
    account: exists ? await accountOfCluster(place, unprivileged) : unprivileged,
    record,
    logFile: join(dataDir, 'postgres.log'),
    log,
  }
}

/** Must run before initdb: a cluster whose password is not stored would be lost. */
async function createRecord(dataDir: string, account: Account | undefined): Promise<ClusterRecord> {
  if (await clusterExists(join(dataDir, 'postgres'))) {
    throw new EmbeddedPostgresError(
      `The password of the database in ${join(dataDir, 'postgres')} is missing: restore ${join(dataDir, 'postgres.json')}, or move the database away.`,
    )
  }
  const record = await newRecord((id) => choosePlace(dataDir, id, account))
  await writeRecord(dataDir, record)
  return record
}

/** Logs the location if the data is outside the data directory, where an operator would expect it. */
export function reportPlace({ dataDir, place, record, log }: Cluster): void {
  if (isAbsolute(record.place))
    log(`The database is stored in ${place}, because PostgreSQL's user cannot reach ${dataDir}.`)
}

/** Changes the data directory's record. The caller must hold the lock. */
export async function updateRecord(cluster: Cluster, changes: Partial<ClusterRecord>): Promise<void> {
  cluster.record = { ...cluster.record, ...changes }
  await writeRecord(cluster.dataDir, cluster.record)
}

/** The contents of postgres.json in the data directory. Only its owner can read the file. */
export interface ClusterRecord {
  /** Distinguishes this cluster's processes from those of other clusters. */
  id: string
  password: string
  /**
   * Path of the files. Relative to the data directory, so that both can be moved together, or absolute if they are
   * elsewhere.
   */
  place: string
  /** The last port. Reused if it is free. */
  port: number
  /** Set once initdb has succeeded. If the files are missing afterwards, that is an error and not a first run. */
  made: boolean
}

const fileOf = (dataDir: string) => join(dataDir, 'postgres.json')

function newRecord(place: (id: string) => Promise<string>): Promise<ClusterRecord> {
  const id = randomBytes(6).toString('hex')
  const password = randomBytes(24).toString('base64url')
  return place(id).then((at) => ({ id, password, place: at, port: 0, made: false }))
}

async function readRecord(dataDir: string): Promise<ClusterRecord | undefined> {
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

/** Replaces the file atomically and syncs it: if a power failure lost the password, the data would be unreadable. */
async function writeRecord(dataDir: string, record: ClusterRecord): Promise<void> {
  const draft = `${fileOf(dataDir)}.draft`
  const { uid, gid } = await stat(dataDir)
  {
    await using file = await open(draft, 'w', 0o600)
    await file.writeFile(`${JSON.stringify(record, null, 2)}\n`)
    // The directory's owner keeps access even if root runs Gable once.
    if (process.getuid?.() === 0) await file.chown(uid, gid)
    await file.sync()
  }
  await rename(draft, fileOf(dataDir))
}
