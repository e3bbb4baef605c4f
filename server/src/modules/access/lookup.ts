import type { Runtime } from '#kernel/context.ts'
import { batched } from '#kernel/db/batch.ts'
import type { DirectoryDb } from '#kernel/db/handles.ts'
import type { Sql } from '#kernel/db/sql.ts'
import type { CredentialLookup, CredentialStatus } from '#kernel/http/authentication.ts'

/** The hash of a secret and, for a session, the workspace that the request names. */
export interface Lookup {
  hash: Buffer
  workspaceId: string | null
}

interface Found {
  status: CredentialStatus
}

interface LookupOptions<C extends Found> {
  find(authenticator: DirectoryDb, asked: CredentialLookup): Promise<C[]>
  recordUse(directory: DirectoryDb, ids: string[], now: Date): Promise<unknown>
  noun: string
  windowStart(): Sql
}

/** Looks up one kind of credential, with one statement for all concurrent requests. */
export function createLookup<C extends Found>(
  { database, clock, log }: Runtime,
  { find, recordUse, noun, windowStart }: LookupOptions<C>,
) {
  const lookUp = batched<Lookup, { credential: C; place: number } | undefined>(
    async (asked) => {
      const { places, requests, ...distinct } = deduplicate(asked)
      const now = clock.now()
      const rows = await find(database.authenticator, {
        ...distinct,
        requests,
        now,
        windowStart: windowStart(),
      })
      const found = new Map(rows.map((row) => [row.status.place - 1, row]))
      return places.map((place) => {
        const credential = found.get(place)
        if (credential === undefined) return undefined
        // Each request in a batch has its own place in the window. The last one's place is the current count.
        const behind = (requests[place] = (requests[place] ?? 1) - 1)
        return { credential, place: (credential.status.used ?? 0) - behind }
      })
    },
    { inFlight: 2, maxSize: 1000 },
  )

  /** Not awaited by the request. */
  const queueUse = batched<string, void>(
    async (ids) => {
      await recordUse(database.authenticator, [...new Set(ids)], clock.now())
      return ids.map(() => undefined)
    },
    { inFlight: 1, maxSize: 1000 },
  )
  const notRecorded = (error: unknown) => log.warn({ err: error }, `the last use was not saved: ${noun}`)
  return { lookUp, queueUse: (id: string) => void queueUse(id).catch(notRecorded) }
}

/** Returns the distinct lookups with the number of requests for each, and the index of each given lookup among them. */
function deduplicate(asked: readonly Lookup[]) {
  const known = new Map<string, number>()
  const hashes: Buffer[] = []
  const workspaceIds: (string | null)[] = []
  const requests: number[] = []
  const places = asked.map(({ hash, workspaceId }) => {
    const name = hash.toString('latin1') + (workspaceId ?? '')
    let place = known.get(name)
    if (place === undefined) {
      place = hashes.push(hash) - 1
      workspaceIds.push(workspaceId)
      known.set(name, place)
    }
    requests[place] = (requests[place] ?? 0) + 1
    return place
  })
  return { places, hashes, workspaceIds, requests }
}
