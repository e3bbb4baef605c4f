import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Runtime, createContext } from '../context.ts'
import { orNotFound } from '../errors.ts'
import type { Slots } from '../slots.ts'
import type { Authentication } from './authentication.ts'
import { type BatchBody, batchPerformer, itemsPerRequest } from './batch.ts'
import type { Endpoint, Provide } from './endpoint.ts'
import { rateHeaders } from './error-responses.ts'
import { type Versioned, etagOf, hasVersion } from './etag.ts'
import { InsufficientScope, RecentSignInRequired, Unauthorized } from './http-errors.ts'
import { assertKey } from './idempotency.ts'
import { inputReader } from './input.ts'
import type { ListBody } from './paging.ts'
import { callerOf, performer } from './perform.ts'
import { precompressed } from './precompressed.ts'
import { inSlices } from './time-slices.ts'
import type { UnreadResponses } from './unread-responses.ts'

/**
 * Throws unless the credential may use the endpoint: `Unauthorized`, `InsufficientScope`, or `RecentSignInRequired`.
 */
export function authorize(
  { scope, sufficientScope, recentSignIn }: Endpoint,
  { principal, person }: Authentication,
): void {
  if (scope === 'public' || (scope === 'person' && person !== undefined)) return
  if (principal === null || scope === 'person')
    throw Unauthorized(
      'Authentication is required. Send Authorization: token <API key> or Authorization: Bearer <access token>.',
    )
  if (scope !== 'any' && ![scope, sufficientScope ?? scope].some((one) => principal.scopes.has(one)))
    throw InsufficientScope(scope)
  if (recentSignIn === true && principal.recentlyAuthenticated !== true) throw RecentSignInRequired()
}

/** Limits that routes share, to keep callers from filling the memory. */
export interface Bounds {
  unread: UnreadResponses
  /** A few lists are read and written at once, because a page can be many times as large as its request. */
  lists: Slots
}

/**
 * Handles authorized requests: parses the input, runs the handler, and writes the parts of the response that the
 * caller may see.
 */
export function routeHandler<D>(
  { runtime, provide }: { runtime: Runtime; provide: Provide<D> },
  endpoint: Endpoint<D>,
  { unread, lists }: Bounds,
) {
  const readInput = inputReader(endpoint)
  const call = callerOf({ provide }, endpoint)
  const perform = performer({ runtime, provide }, endpoint)
  const takesMany = endpoint.batches && batchPerformer({ runtime, provide }, endpoint, endpoint.batches)
  const versioned = hasVersion(endpoint)
  const { respond } = endpoint
  const document = respond && precompressed(() => Buffer.from(JSON.stringify(respond().body)))

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { principal, person } = request.authentication
    const caller = principal?.credentialId ?? person?.id ?? request.address
    unread.requireRoom(caller)
    const send = (status: number, text: string | Buffer) => {
      // Reject only reads here: the caller can repeat a read, but a change has happened and must be reported.
      if (endpoint.method === 'GET') unread.requireRoom(caller, text)
      if (typeof text === 'string' && (endpoint.method !== 'GET' || status >= 400)) request.sentText = text
      reply.code(status).send(text)
      unread.add(caller, reply.raw, text)
      return reply
    }
    const { fields, cursorReset, ...input } = readInput(request, principal?.workspaceId ?? null)
    if (cursorReset) reply.header('x-cursor-reset', 'true')
    reply.header('content-type', 'application/json; charset=utf-8')

    if (person !== undefined) {
      const { status, body } = await orNotFound(endpoint.handlePerson)(runtime, person, input)
      return send(status, JSON.stringify(body))
    }
    if (principal === null || document !== undefined) {
      const { status, headers, body } = await orNotFound(document)(request.headers)
      reply.headers(headers)
      return send(status, body)
    }

    const { turnsClock = false } = endpoint
    const ctx = createContext(runtime, { ...principal, turnsClock }, request.headers['if-match'])
    const [key] = endpoint.method === 'POST' ? [request.headers['idempotency-key']].flat() : []
    if (key !== undefined) assertKey(key)
    const who = { ctx, principal, fields, requestId: request.id }
    if (endpoint.list !== undefined) {
      const leave = await lists.enter(caller)
      try {
        const { handle, shown, narrow } = call(who, input)
        const { status, body } = await handle(ctx)
        const records = (slice: readonly object[]) => shown(status, { data: slice.map(narrow) }).data
        return send(status, await writeList(body as ListBody, records))
      } finally {
        leave()
      }
    }
    if (takesMany !== undefined) {
      const { items } = input.body as BatchBody
      await countItems(request, reply, items.length)
      const { status, text, replayed } = await takesMany(who, input, key)
      if (replayed) reply.header('idempotency-replayed', 'true')
      return send(status, text)
    }
    const { status, text, replayed, body } = await perform(who, input, key)
    if (replayed) reply.header('idempotency-replayed', 'true')
    if (versioned && body !== undefined) reply.header('etag', etagOf(body as Versioned))
    if (endpoint.attachment !== undefined) {
      const name = [endpoint.attachment, ...Object.values(input.params)].join('-')
      reply.header('content-disposition', `attachment; filename="${name}.json"`)
    }
    return send(status, text)
  }
}

/** Counts a batch as one request for each ten items. Throws `RateLimited` if too few are left. */
async function countItems(request: FastifyRequest, reply: FastifyReply, items: number): Promise<void> {
  const further = Math.ceil(items / itemsPerRequest) - 1
  if (further < 1) return
  const counted = await request.authentication.countFurther?.(further)
  if (counted === undefined) return
  reply.headers(rateHeaders(counted.rate))
  if (counted.rejection !== undefined) throw counted.rejection
}

/** Serializes a list in slices, so that a large page does not hold up other requests. */
async function writeList(
  { data, ...rest }: ListBody,
  shown: (records: readonly object[]) => object[],
): Promise<string> {
  const texts: string[] = []
  for await (const records of inSlices(data)) texts.push(JSON.stringify(shown(records)).slice(1, -1))
  return `{"data":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`
}
