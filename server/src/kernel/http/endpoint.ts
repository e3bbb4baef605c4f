import type { Static, TObject, TSchema } from 'typebox'
import type { Ctx } from '../context.ts'
import type { Page } from './paging.ts'

/** Names in braces of a route: `'GET /contacts/{id}'` has `id`. */
export type Params<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & Params<Rest>
  : unknown

export interface Answer {
  status: number
  body: object
}

export interface Input<R extends string, Q extends TObject, B extends TSchema> {
  params: Params<R>
  query: Static<Q>
  body: Static<B>
  /** Where a list goes on and how much of it is wanted. Of no meaning elsewhere. */
  page: Page
}

export interface EndpointSpec<R extends string, Q extends TObject, B extends TSchema, P = unknown> {
  /** A scope, or `any` for any valid credential, or `public` for none. */
  scope: string
  summary: string
  description?: string
  /** Groups endpoints in the reference. */
  tag: string
  /** What it may be asked beside `cursor`, `limit` and `fields`. */
  query?: Q
  body?: B
  /** The successful answers by status. Error answers follow from the rest. */
  answers: Record<number, TSchema>
  /** Answers a list: takes `cursor` and `limit`. */
  list?: boolean
  /** Answers records: takes `fields`. */
  fields?: boolean
  /** Its answer shows a secret this once; what an Idempotency-Key keeps of it is sealed. */
  answersSecret?: boolean
  /** Statuses of errors that this endpoint adds to those that any may answer, with their condition. */
  errors?: Record<number, string>
  /**
   * What must be asked first, of the outside world above all. `handle` gets its answer. It changes nothing and runs before
   * the transaction that an Idempotency-Key opens: none may be open across the network, and a refusal leaves no trace.
   */
  prepare?(ctx: Ctx, input: Input<R, Q, B>): Promise<P>
  handle(ctx: Ctx, input: Input<R, Q, B>, prepared: P): Promise<Answer>
}

export interface Endpoint extends EndpointSpec<string, TObject, TSchema> {
  readonly method: Method
  /** With braces, relative to the API's base: `/contacts/{id}`. */
  readonly path: string
}

export const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]

/**
 * Declares an endpoint: the one value from which router, validation, OpenAPI, contract tests and docs are made.
 * The route is `METHOD /path` with parameters in braces; parameters are ids.
 */
export function endpoint<R extends `${Method} /${string}`, Q extends TObject, B extends TSchema, P>(
  route: R,
  spec: EndpointSpec<R, Q, B, P>,
): Endpoint {
  const [method, path] = route.split(' ') as [Method, string]
  return { ...(spec as unknown as EndpointSpec<string, TObject, TSchema>), method, path }
}

export const ok = (body: object): Answer => ({ status: 200, body })
export const created = (body: object): Answer => ({ status: 201, body })
export const accepted = (body: object): Answer => ({ status: 202, body })
