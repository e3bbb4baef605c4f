import { isAbsolute, join, resolve } from 'node:path'
import { type Account, accountOfCluster } from './account.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { clusterExists } from './make-cluster.ts'
import { choosePlace } from './place.ts'
import { type ClusterRecord, newRecord, readRecord, writeRecord } from './record.ts'

/** Everything that is known of a data directory's PostgreSQL before it runs. */
export interface Site {
  dataDir: string
  /** Where the cluster is or will be, absolute. */
  place: string
  /** Whether it is there. */
  exists: boolean
  /** Shown in the titles of its processes, by which they are known. */
  clusterName: string
  account: Account | undefined
  record: ClusterRecord
  logFile: string
  log: (line: string) => void
}

/** Reads what the data directory remembers, and decides what a new one shall. The caller holds the lock. */
export async function openSite(
  dataDir: string,
  unprivileged: Account | undefined,
  log: (line: string) => void,
): Promise<Site> {
  const record = (await readRecord(dataDir)) ?? (await begin(dataDir, unprivileged))
  const place = resolve(dataDir, record.place)
  const exists = await clusterExists(place)
  if (record.made && !exists) {
    throw new EmbeddedPostgresError(
      `The database that ${dataDir} had in ${place} is gone: restore it, or delete ${join(dataDir, 'postgres.json')} to begin with an empty one.`,
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

/** Writes it down before the cluster is made: a cluster whose password nobody knows would be lost. */
async function begin(dataDir: string, account: Account | undefined): Promise<ClusterRecord> {
  if (await clusterExists(join(dataDir, 'postgres'))) {
    throw new EmbeddedPostgresError(
      `The password of the database in ${join(dataDir, 'postgres')} is missing: restore ${join(dataDir, 'postgres.json')}, or move the database away.`,
    )
  }
  const record = await newRecord((id) => choosePlace(dataDir, id, account))
  await writeRecord(dataDir, record)
  return record
}

/** Says so when the data is not where the operator would look for it. */
export function reportPlace({ dataDir, place, record, log }: Site): void {
  if (isAbsolute(record.place))
    log(`The database lies in ${place}, because PostgreSQL's user cannot reach ${dataDir}.`)
}

/** Changes what the data directory remembers. The caller holds the lock. */
export async function remember(site: Site, changes: Partial<ClusterRecord>): Promise<void> {
  site.record = { ...site.record, ...changes }
  await writeRecord(site.dataDir, site.record)
}
