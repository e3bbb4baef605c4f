import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Ctx, type Runtime, createContext } from '../context.ts'
import { orNotFound } from '../errors.ts'
import { mask, rejectMasks } from '../masking/masker.ts'
import { withholdReferences } from '../references.ts'
import type { Slots } from '../slots.ts'
import type { Authentication, Principal } from './authentication.ts'
import type { Endpoint, Provide, Response } from './endpoint.ts'
import { errorResponseOf } from './error-responses.ts'
import { type Versioned, etagOf, hasVersion } from './etag.ts'
import { fieldMask } from './field-mask.ts'
import { InsufficientScope, RecentSignInRequired, Unauthorized } from './http-errors.ts'
import { handleIdempotently, assertKey } from './idempotency.ts'
import { inputReader } from './input.ts'
import type { ListBody } from './paging.ts'
import { precompressed } from './precompressed.ts'
import { inSlices } from './time-slices.ts'
import type { UnreadResponses } from './unread-responses.ts'

/**
 * Throws unless the credential may use the endpoint: `Unauthorized`, `InsufficientScope`, or `RecentSignInRequired`.
 */
export function authorize({ scope, recentSignIn }: Endpoint, { principal, person }: Authentication): void {
  if (scope === 'public' || (scope === 'person' && person !== undefined)) return
  if (principal === null || scope === 'person')
    throw Unauthorized(
      'Authentication is required. Send Authorization: token <API key> or Authorization: Bearer <access token>.',
    )
  if (scope !== 'any' && !principal.scopes.has(scope)) throw InsufficientScope(scope)
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
  const route = `${endpoint.method} ${endpoint.path}`
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

    const ctx = createContext(runtime, principal, request.headers['if-match'])
    if (ctx.masked && endpoint.body !== undefined) rejectMasks(endpoint.body, input.body)
    let prepared: unknown
    const prepare =
      endpoint.prepare && (async () => void (prepared = await endpoint.prepare?.(ctx, input, provide)))
    const narrow = endpoint.fields === true && fields !== undefined ? fieldMask(fields) : same
    /** The body of a successful response, as the caller may see it. */
    const shown = <T extends object>(status: number, body: T): T =>
      ctx.masked ? mask(orNotFound(endpoint.responses[status]), body) : body
    const handle = async (within: Ctx): Promise<Response> => {
      const response = await endpoint.handle(within, input, prepared)
      if (response.status >= 400) return response
      const schema = orNotFound(endpoint.responses[response.status])
      const [body = response.body] = await withholdReferences(
        ctx,
        [{ schema, value: response.body }],
        // Of a request with an Idempotency-Key, the response is made before the commit.
        (work) => (within === ctx ? work(ctx.db) : within.transaction(work)),
      )
      return { ...response, body }
    }
    const write = ({ body, status }: Response) =>
      JSON.stringify(status < 400 ? shown(status, narrow(body)) : body)
    const key = endpoint.method === 'POST' ? request.headers['idempotency-key'] : undefined
    if (typeof key !== 'string') {
      await prepare?.()
      if (endpoint.list !== undefined) {
        const leave = await lists.enter(caller)
        try {
          const { status, body } = await handle(ctx)
          const records = (slice: readonly object[]) => shown(status, { data: slice.map(narrow) }).data
          return send(status, await writeList(body as ListBody, records))
        } finally {
          leave()
        }
      }
      const response = await handle(ctx)
      if (versioned) reply.header('etag', etagOf(response.body as Versioned))
      if (endpoint.attachment !== undefined) {
        const name = [endpoint.attachment, ...Object.values(input.params)].join('-')
        reply.header('content-disposition', `attachment; filename="${name}.json"`)
      }
      return send(response.status, write(response))
    }

    assertKey(key)
    const attempt = {
      credentialId: principal.credentialId,
      key,
      request: JSON.stringify([
        route,
        input.params,
        input.query,
        fields,
        input.body,
        scopesOf(principal),
        principal.reach,
      ]),
      subjects: Object.values(input.params),
    }
    const { status, text, replayed } = await handleIdempotently(runtime, ctx, attempt, {
      prepare,
      handle,
      responseOf: (error) => errorResponseOf(error, request.id, runtime.origin()),
      write,
      seals: endpoint.returnsSecret === true,
    })
    if (replayed) reply.header('idempotency-replayed', 'true')
    return send(status, text)
  }
}

/** Sorted, so that the order in which scopes were granted does not matter. */
const scopesOf = ({ scopes }: Principal) => [...scopes].toSorted()

const same = (record: object) => record

/** Serializes a list in slices, so that a large page does not hold up other requests. */
async function writeList(
  { data, ...rest }: ListBody,
  shown: (records: readonly object[]) => object[],
): Promise<string> {
  const texts: string[] = []
  for await (const records of inSlices(data)) texts.push(JSON.stringify(shown(records)).slice(1, -1))
  return `{"data":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`
}
