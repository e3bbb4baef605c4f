import type { House } from '#kernel/context.ts'
import { batched } from '#kernel/db/batch.ts'
import type { AppError } from '#kernel/errors.ts'
import { RateLimited, Unauthorized } from '#kernel/http/answer.ts'
import type { Admission, Door, Principal } from '#kernel/http/principal.ts'
import { anonymousCounter } from './anonymous-rate.ts'
import { type CredentialRow, noteUse, openDoor, windowSeconds } from './queries.ts'
import { expandScopes } from './scopes.ts'
import { hashSecret, isWellFormed } from './secret.ts'

/** Requests a minute of one API key. */
const apiKeyLimit = 120

export interface DoorOptions {
  /** Requests a minute, of one address, without a valid credential. */
  anonymousLimit: number
}

/** A credential with the place that this request has in its window. */
interface Counted {
  credential: CredentialRow
  place: number
}

/** The front door. Every request's credential is read anew, so that a revocation holds from the next request on. */
export function createDoor({ database, clock, log }: House, { anonymousLimit }: DoorOptions): Door {
  const countAddress = anonymousCounter()
  const windowStart = () => Math.floor(clock.now().getTime() / 1000 / windowSeconds) * windowSeconds

  const lookUp = batched<Buffer, Counted | undefined>(
    async (hashes) => {
      const { places, distinct, requests } = gatherSame(hashes)
      const rows = await openDoor(database.door, distinct, requests, clock.now(), windowStart())
      const found = new Map(rows.map((row) => [row.place - 1, row]))
      return places.map((place) => {
        const credential = found.get(place)
        if (credential === undefined) return undefined
        // Each of a batch's requests has a place of its own in the window: the last one is where the count now stands.
        const behind = (requests[place] = (requests[place] ?? 1) - 1)
        return { credential, place: (credential.used ?? 0) - behind }
      })
    },
    { inFlight: 2, maxSize: 1000 },
  )

  /** Beside the request's way, which must not wait for it. */
  const note = batched<string, void>(
    async (ids) => {
      await noteUse(database.directory, [...new Set(ids)], clock.now())
      return ids.map(() => undefined)
    },
    { inFlight: 1, maxSize: 1000 },
  )
  const notNoted = (error: unknown) => log.warn({ err: error }, 'use of an API key not noted')

  /** What is left after the request that has this place in its window, and whether it is one too many. */
  function judge(place: number, limit: number, start: number): Pick<Admission, 'rate' | 'refusal'> {
    const resetAt = start + windowSeconds
    const rate = { limit, remaining: Math.max(0, limit - place), resetAt }
    if (place <= limit) return { rate }
    const retryAfter = Math.max(1, Math.ceil(resetAt - clock.now().getTime() / 1000))
    return { rate, refusal: RateLimited(retryAfter) }
  }

  function countAnonymous(address: string, refusal?: AppError): Admission {
    const start = windowStart()
    const verdict = judge(countAddress(address, start), anonymousLimit, start)
    return { principal: null, ...(refusal === undefined ? {} : { refusal }), ...verdict }
  }

  return {
    countAnonymous: (address) => countAnonymous(address),
    async admit(authorization, address) {
      const refuse = (reason: string) => countAnonymous(address, Unauthorized(reason))
      const secret = apiKeyOf(authorization)
      if (secret === undefined) return refuse('This is not a credential of this service.')
      const counted = await lookUp(hashSecret(secret))
      if (counted === undefined) return refuse('This API key does not exist.')
      const { credential, place } = counted
      if (credential.revoked) return refuse('This API key has been revoked.')
      if (credential.expired) return refuse('This API key has expired.')
      if (credential.unnoted) note(credential.id).catch(notNoted)
      return {
        principal: principalOf(credential),
        ...judge(place, apiKeyLimit, credential.window_start ?? windowStart()),
      }
    },
  }
}

const principalOf = ({ id, name, workspace_id, scopes }: CredentialRow): Principal => ({
  credentialId: id,
  workspaceId: workspace_id,
  actor: { type: 'api_key', id, name },
  scopes: expanded(scopes),
})

/** Equal hashes once, with their number, and for each of the given ones its place among the distinct. */
function gatherSame(hashes: readonly Buffer[]) {
  const known = new Map<string, number>()
  const distinct: Buffer[] = []
  const requests: number[] = []
  const places = hashes.map((hash) => {
    const name = hash.toString('latin1')
    const place = known.get(name) ?? distinct.push(hash) - 1
    known.set(name, place)
    requests[place] = (requests[place] ?? 0) + 1
    return place
  })
  return { places, distinct, requests }
}

/** The key of `Authorization: token <key>`, or undefined for anything that cannot be one. */
function apiKeyOf(authorization: string | undefined): string | undefined {
  const [, secret] = /^token +(\S+)$/i.exec(authorization ?? '') ?? []
  return secret !== undefined && isWellFormed('gbl_key_', secret) ? secret : undefined
}

const expansions = new Map<string, Set<string>>()

/** Expanded once for each combination in use; few are, and the map is emptied should it ever not be so. */
function expanded(granted: readonly string[]): Set<string> {
  const name = granted.join(' ')
  const known = expansions.get(name) ?? expandScopes(granted)
  if (expansions.size > 1000) expansions.clear()
  expansions.set(name, known)
  return known
}
