import { Type } from 'typebox'
import { type Ctx, type Runtime, type Tx, openTx } from '../context.ts'
import type { Queries, WorkspaceTx } from '../db/handles.ts'
import { lockIfFree } from '../db/lock.ts'
import { AppError, ValidationFailed, defineError } from '../errors.ts'
import type { KeyRing } from '../secrets.ts'
import type { Response } from './endpoint.ts'
import { InsufficientScope } from './http-errors.ts'

export const IdempotencyMismatch = defineError('idempotency_mismatch', 409, () => ({
  message:
    'This Idempotency-Key was used for a different request or with different scopes. Use a new key for a new request.',
}))

const IdempotencyErased = defineError('idempotency_erased', 409, () => ({
  message: 'The response to the first request with this Idempotency-Key has been erased.',
}))

export const IdempotencyInProgress = defineError('idempotency_in_progress', 409, () => ({
  message: 'The first request with this Idempotency-Key is still running. Try again shortly.',
  headers: { 'retry-after': '1' },
}))

const keptMs = 24 * 60 * 60 * 1000

export const assertKey = (key: string) => {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw ValidationFailed([
      { path: 'Idempotency-Key', message: 'must have 1 to 255 visible ASCII characters' },
    ])
  }
}

export interface Attempt {
  credentialId: string
  key: string
  /**
   * Identifies the request: route, parameters, query, body, and the caller's scopes. A stored response shows what the
   * first caller's scopes allowed, so a caller with other scopes gets a mismatch instead.
   */
  request: string
  /** The ids of records that the request names. */
  subjects: readonly string[]
}

export interface Handler {
  /** Calls other services before the transaction begins. */
  prepare?: (() => Promise<unknown>) | undefined
  handle(ctx: Ctx): Promise<Response>
  responseOf(error: AppError): Response
  write(response: Response): string
  /** Whether to encrypt the stored response, because it shows a secret. */
  seals: boolean
}

export interface Replay {
  status: number
  /** The exact text of the first response. */
  text: string
  replayed: boolean
}

const ReplyRow = Type.Object({
  fingerprint: Type.Unsafe<Buffer>({}),
  status: Type.Integer(),
  body: Type.Union([Type.String(), Type.Null()]),
})

/**
 * Runs a handler once per Idempotency-Key. The response is stored in the handler's own transaction, so that the
 * change and the response are either both committed or both rolled back. A repeated request gets the stored response.
 * While the first request runs, a lock that ends with its transaction rejects others; a crash leaves nothing behind.
 *
 * An error that the handler throws before or inside its transaction rolls back the change and is not stored. An error
 * that it throws after the transaction is a response like any other and is stored.
 */
export async function handleIdempotently(
  runtime: Runtime,
  ctx: Ctx,
  attempt: Attempt,
  { prepare, ...handler }: Handler,
): Promise<Replay> {
  // Do not prepare a repeated request again: another service may return something else by now.
  const earlier = prepare === undefined ? undefined : await findReply(runtime, ctx.db, ctx, attempt, handler)
  if (earlier !== undefined) return earlier
  try {
    await prepare?.()
  } catch (error) {
    // The first request may have finished meanwhile, and its effect may be why this one cannot proceed.
    const meanwhile = await findReply(runtime, ctx.db, ctx, attempt, handler)
    if (meanwhile !== undefined) return meanwhile
    throw error
  }
  return runtime.database.transaction(
    ctx.workspaceId,
    async (base) => {
      if (!(await lockIfFree(base, `idempotency ${attempt.credentialId} ${attempt.key}`)))
        throw IdempotencyInProgress()
      const first = await findReply(runtime, base, ctx, attempt, handler)
      if (first !== undefined) return first

      const response = await settle(await openTx(runtime, base, ctx), ctx, handler)
      const text = handler.write(response)
      const kept = handler.seals ? sealed(runtime.keys, text, placeOf(ctx, attempt)) : text
      const fingerprint = runtime.keys.sign('idempotency', attempt.request)
      storeReply(base, ctx, attempt, { fingerprint, status: response.status, body: kept }, idsIn(text))
      return { status: response.status, text, replayed: false }
    },
    ctx.reach,
  )
}

/** The status of a batch that has begun and is not over. */
const begun = 0

/**
 * Begins a batch, whose items are transactions of their own, with a key for the whole. Returns the stored response if
 * the batch is over. One that did not end is continued: its items have keys that follow from this one.
 */
export const beginBatch = (runtime: Runtime, ctx: Ctx, attempt: Attempt): Promise<Replay | undefined> =>
  runtime.database.transaction(
    ctx.workspaceId,
    async (base) => {
      const { credentialId, key, request } = attempt
      if (!(await lockIfFree(base, `idempotency ${credentialId} ${key}`))) throw IdempotencyInProgress()
      const earlier = await findReply(runtime, base, ctx, attempt, { seals: false })
      if (earlier !== undefined) return earlier.status === begun ? undefined : earlier
      storeReply(base, ctx, attempt, {
        fingerprint: runtime.keys.sign('idempotency', request),
        status: begun,
        body: '',
      })
      return undefined
    },
    ctx.reach,
  )

/** Stores the response of a batch that has begun. */
export const endBatch = (runtime: Runtime, ctx: Ctx, attempt: Attempt, { status, text }: Replay) =>
  runtime.database.transaction(
    ctx.workspaceId,
    async (base) => {
      const fingerprint = runtime.keys.sign('idempotency', attempt.request)
      storeReply(base, ctx, attempt, { fingerprint, status, body: text })
    },
    ctx.reach,
  )

/** Identifies the key across workspaces and credentials. */
const placeOf = ({ workspaceId }: Ctx, { credentialId, key }: Attempt) =>
  `${workspaceId} ${credentialId} ${key}`

/**
 * The stored response for this key, if there is one. Throws `IdempotencyMismatch` if it belongs to a different
 * request, and `IdempotencyErased` if it has been erased.
 */
async function findReply(
  { keys }: Runtime,
  db: Queries,
  ctx: Ctx,
  attempt: Attempt,
  { seals }: Pick<Handler, 'seals'>,
): Promise<Replay | undefined> {
  const { credentialId, key, request } = attempt
  const first = await db.maybeOne(ReplyRow)`
    select fingerprint, status, body from idempotency_replies
    where workspace_id = ${ctx.workspaceId} and credential_id = ${credentialId} and key = ${key}
      and created_at > ${new Date(ctx.clock.real.now().getTime() - keptMs)}`
  if (first === undefined) return undefined
  if (!keys.verifies('idempotency', request, first.fingerprint)) throw IdempotencyMismatch()
  if (first.body === null) throw IdempotencyErased()
  const text = seals ? unsealed(keys, first.body, placeOf(ctx, attempt)) : first.body
  return { status: first.status, text, replayed: true }
}

const storeReply = (
  tx: WorkspaceTx,
  { workspaceId, clock }: Ctx,
  { credentialId, key, subjects }: Attempt,
  { fingerprint, status, body }: { fingerprint: Buffer; status: number; body: string },
  ids = idsIn(body),
): void =>
  tx.write`
    insert into idempotency_replies
      (workspace_id, credential_id, key, fingerprint, status, body, subjects, created_at)
    values (${workspaceId}, ${credentialId}, ${key}, ${fingerprint}, ${status}, ${body},
      ${[...new Set([...subjects, ...ids])]}, ${clock.real.now()})
    on conflict (workspace_id, credential_id, key) do update set
      fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
      subjects = excluded.subjects, created_at = excluded.created_at`

const sealed = (keys: KeyRing, text: string, place: string) =>
  keys.seal('replies', text, place).toString('base64')

const unsealed = (keys: KeyRing, text: string, place: string) =>
  keys.open('replies', Buffer.from(text, 'base64'), place)

async function settle(tx: Tx, ctx: Ctx, { handle, responseOf }: Omit<Handler, 'prepare'>): Promise<Response> {
  let isAfter = false
  const transaction: Ctx['transaction'] = async (work) => {
    isAfter = false
    const value = await work(tx)
    await tx.flush()
    isAfter = true
    return value
  }
  try {
    return await handle({
      ...ctx,
      transaction,
      unrestricted: () => ({
        ...ctx.unrestricted(),
        transaction: (work) => transaction((limited) => work(limited.unrestricted())),
      }),
    })
  } catch (error) {
    if (!isAfter || !(error instanceof AppError) || !isKept(error)) throw error
    return responseOf(error)
  }
}

/** Server errors and missing scopes are not stored, because the next attempt may succeed. */
const isKept = ({ code, status }: AppError) => status < 500 && code !== InsufficientScope.code

const idsIn = (text: string) => text.match(/\bc[a-z0-9]{24}\b/g) ?? []

/** Erases the stored responses about these records. Repeating one of their requests returns `IdempotencyErased`. */
export const scrubReplies = (tx: WorkspaceTx, ids: readonly string[]) =>
  tx.run`
    update idempotency_replies set body = null
    where workspace_id = ${tx.workspaceId} and subjects && ${ids}::text[] collate "C"`

const sweepSize = 1000

/** Deletes a batch of expired responses. Returns how many it deleted. */
export const deleteExpiredReplies = (tx: WorkspaceTx, now: Date) =>
  tx.run`
    delete from idempotency_replies
    where workspace_id = ${tx.workspaceId} and (credential_id, key) in (
      select credential_id, key from idempotency_replies
      where workspace_id = ${tx.workspaceId} and created_at <= ${new Date(now.getTime() - keptMs)}
      limit ${sweepSize})`
