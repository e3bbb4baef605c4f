import type { House } from '#kernel/context.ts'
import { batched } from '#kernel/db/batch.ts'
import { RateLimited, Unauthorized } from '#kernel/http/answer.ts'
import type { Admission, Door, RateState } from '#kernel/http/principal.ts'
import { anonymousCounter } from './anonymous-rate.ts'
import { type CredentialRow, noteUse, openDoor } from './queries.ts'
import { expandScopes } from './scopes.ts'
import { hashSecret, isWellFormed } from './secret.ts'

/** Requests a minute of one API key. */
const apiKeyLimit = 120

const windowSeconds = 60

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

  function countAnonymous(address: string, refusal?: Admission['refusal']): Admission {
    const rate = rateAt(countAddress(address, windowStart()), anonymousLimit, windowStart())
    const tooMany = rate.remaining < 0 ? RateLimited(retryAfter(rate)) : undefined
    return admission(null, rate, tooMany ?? refusal)
  }

  const retryAfter = ({ resetAt }: RateState) =>
    Math.max(1, Math.ceil(resetAt - clock.now().getTime() / 1000))

  return {
    countAnonymous: (address) => countAnonymous(address),
    async admit(authorization, address) {
      const secret = apiKeyOf(authorization)
      if (secret === undefined)
        return countAnonymous(address, Unauthorized('This is not a credential of this service.'))
      const counted = await lookUp(hashSecret(secret))
      if (counted === undefined) return countAnonymous(address, Unauthorized('This API key does not exist.'))
      const { credential, place } = counted
      if (credential.revoked) return countAnonymous(address, Unauthorized('This API key has been revoked.'))
      if (credential.expired) return countAnonymous(address, Unauthorized('This API key has expired.'))
      if (credential.unnoted) note(credential.id).catch(notNoted)
      const rate = rateAt(place, apiKeyLimit, credential.window_start ?? windowStart())
      return admission(credential, rate, rate.remaining < 0 ? RateLimited(retryAfter(rate)) : undefined)
    },
  }
}

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

/** `remaining` is negative for a request beyond the limit. */
const rateAt = (place: number, limit: number, windowStart: number): RateState => ({
  limit,
  remaining: limit - place,
  resetAt: windowStart + windowSeconds,
})

function admission(
  credential: CredentialRow | null,
  rate: RateState,
  refusal: Admission['refusal'],
): Admission {
  const shown = { ...rate, remaining: Math.max(0, rate.remaining) }
  const principal = credential && {
    credentialId: credential.id,
    workspaceId: credential.workspace_id,
    actor: { type: 'api_key', id: credential.id, name: credential.name },
    scopes: expanded(credential.scopes),
  }
  return refusal === undefined ? { principal, rate: shown } : { principal, rate: shown, refusal }
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
