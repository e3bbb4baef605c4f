import type { Ctx, Runtime } from '../context.ts'
import { orNotFound } from '../errors.ts'
import { mask, rejectMasks } from '../masking/masker.ts'
import { withholdReferences } from '../references.ts'
import type { Principal } from './authentication.ts'
import type { Endpoint, Provide, Response } from './endpoint.ts'
import { errorResponseOf } from './error-responses.ts'
import { fieldMask } from './field-mask.ts'
import { type Replay, handleIdempotently } from './idempotency.ts'
import type { RequestInput } from './input.ts'

/** Who makes an authorized request. */
export interface Caller {
  ctx: Ctx
  principal: Principal
  /** The field mask, as sent. */
  fields: string | undefined
  requestId: string
}

type Input = Pick<RequestInput, 'params' | 'query' | 'body' | 'page'>

export interface Serving<D> {
  runtime: Runtime
  provide: Provide<D>
}

/** Prepares a request to an endpoint: how to handle it, and what its caller may see of the response. */
export const callerOf =
  <D>({ provide }: Pick<Serving<D>, 'provide'>, endpoint: Endpoint<D>) =>
  ({ ctx, fields }: Caller, input: Input) => {
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
    return { prepare, handle, shown, narrow, write }
  }

/**
 * Handles a request to an endpoint that returns no list, once if it has an Idempotency-Key. `body`: of a request without
 * one, the response before the field mask.
 */
export function performer<D>({ runtime, provide }: Serving<D>, endpoint: Endpoint<D>) {
  const call = callerOf({ provide }, endpoint)
  const route = `${endpoint.method} ${endpoint.path}`
  return async (who: Caller, input: Input, key?: string): Promise<Replay & { body?: object }> => {
    const { prepare, handle, write } = call(who, input)
    const { ctx, requestId } = who
    if (key === undefined) {
      await prepare?.()
      const response = await handle(ctx)
      return { status: response.status, text: write(response), replayed: false, body: response.body }
    }
    return handleIdempotently(runtime, ctx, attemptOf(route, who, input, key), {
      prepare,
      handle,
      responseOf: (error) => errorResponseOf(error, requestId, runtime.origin()),
      write,
      seals: endpoint.returnsSecret === true,
    })
  }
}

/** What identifies a request with an Idempotency-Key. */
export const attemptOf = (route: string, { principal, fields }: Caller, input: Input, key: string) => ({
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
})

/** Sorted, so that the order in which scopes were granted does not matter. */
const scopesOf = ({ scopes }: Principal) => [...scopes].toSorted()

const same = (record: object) => record
