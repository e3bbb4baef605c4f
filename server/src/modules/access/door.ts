import type { House } from '#kernel/context.ts'
import { batched } from '#kernel/db/batch.ts'
import type { AppError } from '#kernel/errors.ts'
import { RateLimited, Unauthorized } from '#kernel/http/answer.ts'
import type { Admission, Door } from '#kernel/http/principal.ts'
import { anonymousCounter } from './anonymous-rate.ts'
import { apiKeys } from './api-key-credentials.ts'
import type { Credential, CredentialKind } from './credential.ts'
import { windowSeconds } from './queries.ts'
import { hashSecret, isWellFormed } from './secret.ts'

export interface DoorOptions {
  /** Requests a minute, of one address, without a valid credential. */
  anonymousLimit: number
  /** What is let in beside API keys. */
  kinds: readonly CredentialKind[]
}

/** A credential with the place that this request has in its window. */
interface Counted extends Credential {
  place: number
}

/** The front door. Every request's credential is read anew, so that a revocation holds from the next request on. */
export function createDoor(house: House, { anonymousLimit, kinds }: DoorOptions): Door {
  const { clock } = house
  const countAddress = anonymousCounter()
  const windowStart = () => Math.floor(clock.now().getTime() / 1000 / windowSeconds) * windowSeconds
  const desks = [apiKeys, ...kinds].map((kind) => ({ kind, ...createDesk(house, kind, windowStart) }))

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
      const [, scheme = '', secret = ''] = /^(\w+) +(\S+)$/.exec(authorization ?? '') ?? []
      const desk = desks.find(({ kind }) => kind.scheme.toLowerCase() === scheme.toLowerCase())
      const other = desks.find(({ kind }) => secret.startsWith(kind.prefix))
      if (desk === undefined || (other !== undefined && other !== desk)) {
        const right = other === undefined ? '' : ` Send it as ${other.kind.scheme} ${other.kind.prefix}….`
        return countAnonymous(address, Unauthorized(`This is not a credential of this service.${right}`))
      }
      const { kind, lookUp, note } = desk
      const refuse = (message: string) => countAnonymous(address, kind.refuse(message))
      if (!isWellFormed(kind.prefix, secret)) return refuse('This is not a credential of this service.')
      const counted = await lookUp(hashSecret(secret))
      if (counted === undefined) return refuse(`This ${kind.noun} does not exist.`)
      const { verdict, principal, place } = counted
      if (verdict.revoked) return refuse(`This ${kind.noun} has been revoked.`)
      if (verdict.expired) return refuse(`This ${kind.noun} has expired.`)
      if (verdict.unnoted) note(principal.credentialId)
      return { principal, ...judge(place, kind.limit, verdict.window_start ?? windowStart()) }
    },
  }
}

/** Where one kind of credentials is looked up: a statement for all requests of the moment. */
function createDesk({ database, clock, log }: House, kind: CredentialKind, windowStart: () => number) {
  const lookUp = batched<Buffer, Counted | undefined>(
    async (asked) => {
      const { places, hashes, requests } = gatherSame(asked)
      const now = clock.now()
      const rows = await kind.open(database.door, { hashes, requests, now, windowStart: windowStart() })
      const found = new Map(rows.map((row) => [row.verdict.place - 1, row]))
      return places.map((place) => {
        const credential = found.get(place)
        if (credential === undefined) return undefined
        // Each of a batch's requests has a place of its own in the window: the last one is where the count now stands.
        const behind = (requests[place] = (requests[place] ?? 1) - 1)
        return { ...credential, place: (credential.verdict.used ?? 0) - behind }
      })
    },
    { inFlight: 2, maxSize: 1000 },
  )

  /** Beside the request's way, which must not wait for it. */
  const noteUse = batched<string, void>(
    async (ids) => {
      await kind.noteUse(database.directory, [...new Set(ids)], clock.now())
      return ids.map(() => undefined)
    },
    { inFlight: 1, maxSize: 1000 },
  )
  const notNoted = (error: unknown) => log.warn({ err: error }, `use of an ${kind.noun} not noted`)
  return { lookUp, note: (id: string) => void noteUse(id).catch(notNoted) }
}

/** Equal hashes once, with their number, and for each of the given ones its place among the distinct. */
function gatherSame(asked: readonly Buffer[]) {
  const known = new Map<string, number>()
  const hashes: Buffer[] = []
  const requests: number[] = []
  const places = asked.map((hash) => {
    const name = hash.toString('latin1')
    const place = known.get(name) ?? hashes.push(hash) - 1
    known.set(name, place)
    requests[place] = (requests[place] ?? 0) + 1
    return place
  })
  return { places, hashes, requests }
}
