import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Ctx, Runtime } from '../context.ts'
import { NotFound } from '../errors.ts'
import { isRecordSchema } from '../records/record.ts'
import type { Scope } from '../scopes.ts'
import type { SignedInPerson } from './authentication.ts'
import { type KeysetOrder, type Page, newestFirst } from './paging.ts'

/** Names in braces of a route: `'GET /contacts/{id}'` has `id`. */
export type Params<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & Params<Rest>
  : unknown

export interface Response {
  readonly status: number
  readonly body: object
}

/** The schemas of an endpoint's successful responses, by status. */
export type Responses = Readonly<Record<number, TSchema>>

/** A response that fits one of the schemas. */
export type ResponseOf<A extends Responses> = {
  [S in keyof A & number]: { readonly status: S; readonly body: Static<A[S]> }
}[keyof A & number]

export interface Input<R extends string, Q extends TSchema, B extends TSchema> {
  params: Params<R>
  query: Static<Q>
  body: Static<B>
  /** The page that a list endpoint is asked for. */
  page: Page
}

interface Declaration<Q extends TSchema, B extends TSchema, A extends Responses> {
  /**
   * A scope, or `any` for any valid credential. `publicEndpoint` sets `public`, `personEndpoint` sets `person`: for the
   * cookie of a signed-in person, in no workspace.
   */
  readonly scope: Scope | 'any' | 'public' | 'person'
  readonly summary: string
  readonly description?: string
  /** Groups endpoints in the reference. The module's by default. */
  readonly tag?: string
  /** Query parameters other than `cursor`, `limit` and `fields`. */
  readonly query?: Q
  readonly body?: B
  /** How many levels the body has at most; 32 by default. */
  readonly bodyLevels?: number
  /** Checks the body in place of its schema, where that reports more. Throws `ValidationFailed`. */
  readonly validateBody?: (body: unknown) => void
  /** The successful responses. Error responses follow from the rest. */
  readonly responses: A
  /** Returns records and takes `fields`. Follows from the responses for records that `defineRecord` declares. */
  readonly fields?: boolean
  /** The response is a file to keep; the id in the path follows this name in its own. */
  readonly attachment?: string
  /** The response shows a secret once. What an Idempotency-Key keeps of it is encrypted. */
  readonly returnsSecret?: boolean
  /**
   * It creates credentials or memberships, or records who answers for something: a person must have signed in within the last ten minutes. No key and no app
   * may do it, whatever its scopes: 403 `recent_sign_in_required`.
   */
  readonly recentSignIn?: boolean
  /** Statuses of errors that this endpoint adds to those of every endpoint, with their condition. */
  readonly errors?: Readonly<Record<number, string>>
  /** Members that these errors have beyond those of every error, by status. */
  readonly errorMembers?: Readonly<Record<number, TProperties>>
}

export interface EndpointSpec<
  R extends string,
  Q extends TSchema,
  B extends TSchema,
  A extends Responses,
  P = unknown,
> extends Declaration<Q, B, A> {
  /**
   * Runs before `handle`, which gets its result, and before the transaction that an Idempotency-Key opens. Use it for
   * calls to other systems: no transaction stays open across the network. It changes nothing.
   */
  prepare?(ctx: Ctx, input: Input<R, Q, B>): Promise<P>
  handle(ctx: Ctx, input: Input<R, Q, B>, prepared: P): Promise<ResponseOf<A>>
}

/** An endpoint, whatever its types. */
export interface Endpoint extends Declaration<TObject, TSchema, Responses> {
  readonly method: Method
  /** With braces, relative to the API's base: `/contacts/{id}`. */
  readonly path: string
  /** The order of its list; undefined for an endpoint that returns none. */
  readonly list?: KeysetOrder
  prepare?(ctx: Ctx, input: Input<string, TObject, TSchema>): Promise<unknown>
  handle(ctx: Ctx, input: Input<string, TObject, TSchema>, prepared: unknown): Promise<Response>
  /** The response where the scope is `public`: without a credential there is no workspace to act in. */
  readonly respond?: () => Response
  /** Handles a request where the scope is `person`. */
  handlePerson?(
    runtime: Runtime,
    person: SignedInPerson,
    input: Pick<Input<string, TObject, TSchema>, 'params' | 'query' | 'body'>,
  ): Promise<Response>
}

export const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]

/**
 * Declares an endpoint: the one value from which router, validation, OpenAPI document and contract tests are made.
 * The route is `METHOD /path` with parameters in braces; parameters are ids. A handler whose status or body does not fit
 * the declared responses does not compile.
 */
export function endpoint<
  R extends `${Method} /${string}`,
  Q extends TSchema,
  B extends TSchema,
  const A extends Responses,
  P,
>(route: R, spec: EndpointSpec<R, Q, B, A, P>): Endpoint {
  const [method, path] = route.split(' ') as [Method, string]
  const fields = Object.values(spec.responses).some(isRecordSchema)
  return { fields, ...(spec as unknown as Omit<Endpoint, 'method' | 'path'>), method, path }
}

/** Declares an endpoint about a signed-in person, in no workspace. */
export function personEndpoint<
  R extends `${Method} /${string}`,
  B extends TSchema,
  const A extends Responses,
>(
  route: R,
  {
    handle,
    ...spec
  }: Omit<Declaration<TSchema, B, A>, 'scope'> & {
    handle(
      runtime: Runtime,
      person: SignedInPerson,
      input: Pick<Input<R, TSchema, B>, 'params' | 'body'>,
    ): Promise<ResponseOf<A>>
  },
): Endpoint {
  const inNoWorkspace = () => Promise.reject(NotFound())
  const declared = endpoint(route, { ...spec, scope: 'person', handle: inNoWorkspace } as EndpointSpec<
    R,
    TSchema,
    B,
    A
  >)
  return { ...declared, handlePerson: handle as NonNullable<Endpoint['handlePerson']> }
}

/** The same for a list whose handler builds the page itself. Prefer `listEndpoint`. */
export const pagedEndpoint = <
  R extends `GET /${string}`,
  Q extends TSchema,
  B extends TSchema,
  const A extends Responses,
  P,
>(
  route: R,
  { order = newestFirst, ...spec }: EndpointSpec<R, Q, B, A, P> & { order?: KeysetOrder },
): Endpoint => ({ ...endpoint(route, spec as EndpointSpec<R, Q, B, A, P>), list: order })

/** Declares a GET endpoint that needs no credential and returns the same document to everyone. */
export const publicEndpoint = (
  path: `/${string}`,
  { schema, ...spec }: Pick<Endpoint, 'tag' | 'summary'> & { schema: TSchema },
  document: () => object,
): Endpoint => {
  const respond = () => ok(document())
  const responses = { 200: schema }
  return { ...spec, scope: 'public', method: 'GET', path, responses, respond, handle: async () => respond() }
}

export const ok = <B extends object>(body: B) => ({ status: 200 as const, body })
export const created = <B extends object>(body: B) => ({ status: 201 as const, body })
export const accepted = <B extends object>(body: B) => ({ status: 202 as const, body })
