import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Ctx, Runtime } from '../context.ts'
import { NotFound } from '../errors.ts'
import { isRecordSchema } from '../records/record.ts'
import type { Scope } from '../scopes.ts'
import type { SignedInPerson } from './authentication.ts'
import { type KeysetOrder, type Page, newestFirst } from './paging.ts'

/** The names in braces in a route: `'GET /contacts/{id}'` has `id`. */
export type Params<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & Params<Rest>
  : unknown

export interface Response {
  readonly status: number
  readonly body: object
}

/** The schemas of an endpoint's successful responses, by status. */
export type Responses = Readonly<Record<number, TSchema>>

/** A response that matches one of the schemas. */
export type ResponseOf<A extends Responses> = {
  [S in keyof A & number]: { readonly status: S; readonly body: Static<A[S]> }
}[keyof A & number]

export interface Input<R extends string, Q extends TSchema, B extends TSchema> {
  params: Params<R>
  query: Static<Q>
  body: Static<B>
  /** The requested page of a list endpoint. */
  page: Page
}

interface Declaration<Q extends TSchema, B extends TSchema, A extends Responses> {
  /**
   * A scope, or `any` for any valid credential. `publicEndpoint` sets `public`. `personEndpoint` sets `person`: the
   * endpoint takes a signed-in person's cookie and belongs to no workspace.
   */
  readonly scope: Scope | 'any' | 'public' | 'person'
  /** Whether it turns the clock of a workspace in test mode. */
  readonly turnsClock?: true
  /** A narrower scope that `scope` implies, and that is enough here. */
  readonly sufficientScope?: Scope
  readonly summary: string
  readonly description?: string
  /** Groups endpoints in the API reference. Defaults to the module's tag. */
  readonly tag?: string
  /** Query parameters other than `cursor`, `limit`, and `fields`. */
  readonly query?: Q
  readonly body?: B
  /** Set if the endpoint is a POST that changes nothing. Clients may repeat it without an Idempotency-Key. */
  readonly readOnly?: true
  /** Maximum size of the body; 256 kB by default. */
  readonly maxBodyBytes?: number
  /** Maximum nesting depth of the body; 32 by default. */
  readonly bodyLevels?: number
  /** Validates the body in place of its schema, to report more issues. Throws `ValidationFailed`. */
  readonly validateBody?: (body: unknown) => void
  /** The successful responses. Error responses follow from the rest of the declaration. */
  readonly responses: A
  /**
   * Whether the endpoint returns records and takes `fields`. Set automatically for responses of records that
   * `defineRecord` declares.
   */
  readonly fields?: boolean
  /**
   * Set if records are only added to the list: its command has `--tail`, which shows these columns beside the ID. The
   * list needs the filters `created_from` and `created_to`, and its records `created_at`.
   */
  readonly tail?: readonly string[]
  /** Set if the response is a file to download. The file's name consists of this name and the id in the path. */
  readonly attachment?: string
  /** Set if the response shows a secret once. If it is stored for an Idempotency-Key, it is encrypted. */
  readonly returnsSecret?: boolean
  /**
   * Set if the endpoint creates credentials or memberships, or records who is accountable for something. A person
   * must have signed in within the last ten minutes. API keys and apps may not use it, whatever their scopes: 403
   * `recent_sign_in_required`.
   */
  readonly recentSignIn?: boolean
  /** Error statuses that this endpoint adds to those of every endpoint, each with its condition. */
  readonly errors?: Readonly<Record<number, string>>
  /** Additional members of these errors, by status. */
  readonly errorMembers?: Readonly<Record<number, TProperties>>
}

export interface EndpointSpec<
  R extends string,
  Q extends TSchema,
  B extends TSchema,
  A extends Responses,
  P = unknown,
  D = unknown,
> extends Declaration<Q, B, A> {
  /**
   * Runs before `handle`, which gets its result, and before the transaction for an Idempotency-Key begins. Call other
   * systems here, so that no transaction stays open across the network. It must not change anything, but may
   * store files that expire unless `handle` claims them. `provide` returns what the server provides, such as the clients
   * of providers.
   */
  prepare?(ctx: Ctx, input: Input<R, Q, B>, provide: Provide<D>): Promise<P>
  handle(ctx: Ctx, input: Input<R, Q, B>, prepared: P): Promise<ResponseOf<A>>
}

/** Returns what the server provides. A command opens it only when an endpoint asks for it. */
export type Provide<D> = () => Promise<D>

/** An endpoint with its types erased, except for what the server must provide. A plain `Endpoint` may need anything. */
export interface Endpoint<D = never> extends Declaration<TObject, TSchema, Responses> {
  readonly method: Method
  /** Relative to the API's base, with braces: `/contacts/{id}`. */
  readonly path: string
  /** The order of its list. Undefined if the endpoint does not return a list. */
  readonly list?: KeysetOrder
  /** The endpoint whose requests it takes many of; see `batchEndpoint`. */
  readonly batches?: Endpoint<D>
  /** The list whose records it counts. */
  readonly counts?: Endpoint<unknown>
  readonly prepare?: (
    ctx: Ctx,
    input: Input<string, TObject, TSchema>,
    provide: Provide<D>,
  ) => Promise<unknown>
  handle(ctx: Ctx, input: Input<string, TObject, TSchema>, prepared: unknown): Promise<Response>
  /** The response if the scope is `public`: without a credential, there is no workspace to act in. */
  readonly respond?: () => Response
  /** Handles a request if the scope is `person`. */
  handlePerson?(
    runtime: Runtime,
    person: SignedInPerson,
    input: Pick<Input<string, TObject, TSchema>, 'params' | 'query' | 'body'>,
  ): Promise<Response>
}

/** The names of the ids in a path, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

export const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]

/**
 * Declares an endpoint. The router, validation, the OpenAPI document, and contract tests all follow from this one
 * value. The route is `METHOD /path` with parameters in braces; all parameters are ids. A handler whose status or
 * body does not match the declared responses does not compile.
 */
export function endpoint<
  R extends `${Method} /${string}`,
  Q extends TSchema,
  B extends TSchema,
  const A extends Responses,
  P,
  D = unknown,
>(route: R, spec: EndpointSpec<R, Q, B, A, P, D>): Endpoint<D> {
  const [method, path] = route.split(' ') as [Method, string]
  const fields = Object.values(spec.responses).some(isRecordSchema)
  return { fields, ...(spec as unknown as Omit<Endpoint<D>, 'method' | 'path'>), method, path }
}

/** Declares an endpoint for a signed-in person, outside any workspace. */
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
): Endpoint<unknown> {
  const inNoWorkspace = () => Promise.reject(NotFound())
  const declared = endpoint(route, { ...spec, scope: 'person', handle: inNoWorkspace } as EndpointSpec<
    R,
    TSchema,
    B,
    A
  >)
  return { ...declared, handlePerson: handle as NonNullable<Endpoint['handlePerson']> }
}

/** Declares a list endpoint whose handler builds the page itself. Prefer `listEndpoint`. */
export const pagedEndpoint = <
  R extends `GET /${string}`,
  Q extends TSchema,
  B extends TSchema,
  const A extends Responses,
  P,
>(
  route: R,
  { order = newestFirst, ...spec }: EndpointSpec<R, Q, B, A, P> & { order?: KeysetOrder },
): Endpoint<unknown> => ({ ...endpoint(route, spec as EndpointSpec<R, Q, B, A, P>), list: order })

/** Declares a GET endpoint that needs no credential and returns the same document to everyone. */
export const publicEndpoint = (
  path: `/${string}`,
  { schema, ...spec }: Pick<Endpoint, 'tag' | 'summary' | 'description'> & { schema: TSchema },
  document: () => object,
): Endpoint<unknown> => {
  const respond = () => ok(document())
  const responses = { 200: schema }
  return { ...spec, scope: 'public', method: 'GET', path, responses, respond, handle: async () => respond() }
}

export const ok = <B extends object>(body: B) => ({ status: 200 as const, body })
export const created = <B extends object>(body: B) => ({ status: 201 as const, body })
export const accepted = <B extends object>(body: B) => ({ status: 202 as const, body })
