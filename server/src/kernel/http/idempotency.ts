import { Type } from 'typebox'
import { type Ctx, type House, type Tx, createTx } from '../context.ts'
import type { Queries } from '../db/rows.ts'
import { sql } from '../db/sql.ts'
import { AppError, ValidationFailed, defineError } from '../errors.ts'
import type { KeyRing } from '../secrets.ts'
import { InsufficientScope } from './answer.ts'
import type { Answer } from './endpoint.ts'

const IdempotencyMismatch = defineError('idempotency_mismatch', 409, () => ({
  message: 'This Idempotency-Key was used for a different request. Use a new key for a new request.',
}))

const IdempotencyErased = defineError('idempotency_erased', 409, () => ({
  message: 'What the first request with this Idempotency-Key made has been erased since.',
}))

const IdempotencyInProgress = defineError('idempotency_in_progress', 409, () => ({
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
  /** Everything that makes the request what it is: route, parameters, query and body. */
  request: string
  /** Ids of the records that it is about. */
  subjects: readonly string[]
}

export interface Handler {
  /** What must be asked of the outside world before the transaction. */
  prepare?: (() => Promise<unknown>) | undefined
  handle(ctx: Ctx): Promise<Answer>
  answerOf(error: AppError): Answer
  write(answer: Answer): string
  /** Keeps the answer sealed, because it shows a secret. */
  seals: boolean
}

export interface Replay {
  status: number
  /** The exact bytes of the first answer. */
  text: string
  replayed: boolean
}

const ReplyRow = Type.Object({
  fingerprint: Type.Unsafe<Buffer>({}),
  status: Type.Integer(),
  body: Type.Union([Type.String(), Type.Null()]),
})
const LockRow = Type.Object({ free: Type.Boolean() })

/**
 * Runs a handler once for a key: the answer is stored in the handler's own transaction, so change and answer exist
 * together or not at all, however the process ends. A repetition gets the stored answer. While the first runs, a lock
 * that ends with its transaction turns others away; there is no mark that a crash could leave behind.
 *
 * A handler that throws inside its transaction leaves neither change nor answer; an error that it throws after its
 * transaction is an answer like any other, and is kept.
 */
export async function answerOnce(
  house: House,
  ctx: Ctx,
  attempt: Attempt,
  { prepare, ...handler }: Handler,
): Promise<Replay> {
  // A repetition is answered without asking the outside world again, which may have changed its mind.
  const earlier = prepare === undefined ? undefined : await findReply(house, ctx.db, ctx, attempt, handler)
  if (earlier !== undefined) return earlier
  await prepare?.()
  return house.database.transaction(ctx.workspaceId, async (writer) => {
    const { free } = await writer.one(
      LockRow,
      sql`select pg_try_advisory_xact_lock(hashtextextended(${placeOf(ctx, attempt)}, 0)) as free`,
    )
    if (!free) throw IdempotencyInProgress()
    const first = await findReply(house, writer, ctx, attempt, handler)
    if (first !== undefined) return first

    const { credentialId, key, request, subjects } = attempt
    const answer = await settle(createTx(house, writer, ctx.actor), ctx, handler)
    const text = handler.write(answer)
    const kept = handler.seals ? sealed(house.keys, text, placeOf(ctx, attempt)) : text
    writer.write(sql`
      insert into idempotency_replies
        (workspace_id, credential_id, key, fingerprint, status, body, subjects, created_at)
      values (${ctx.workspaceId}, ${credentialId}, ${key}, ${house.keys.sign('idempotency', request)}, ${answer.status},
        ${kept}, ${[...new Set([...subjects, ...idsIn(text)])]}, ${ctx.clock.now()})
      on conflict (workspace_id, credential_id, key) do update set
        fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        subjects = excluded.subjects, created_at = excluded.created_at`)
    return { status: answer.status, text, replayed: false }
  })
}

/** Names the key within all workspaces and credentials. */
const placeOf = ({ workspaceId }: Ctx, { credentialId, key }: Attempt) =>
  `${workspaceId} ${credentialId} ${key}`

/** The answer to an earlier request with this key, if there is one. Throws if that request was another one. */
async function findReply(
  { keys }: House,
  db: Queries,
  ctx: Ctx,
  attempt: Attempt,
  { seals }: Pick<Handler, 'seals'>,
): Promise<Replay | undefined> {
  const { credentialId, key, request } = attempt
  const first = await db.maybeOne(
    ReplyRow,
    sql`
    select fingerprint, status, body from idempotency_replies
    where workspace_id = ${ctx.workspaceId} and credential_id = ${credentialId} and key = ${key}
      and created_at > ${new Date(ctx.clock.now().getTime() - keptMs)}`,
  )
  if (first === undefined) return undefined
  if (!keys.verifies('idempotency', request, first.fingerprint)) throw IdempotencyMismatch()
  if (first.body === null) throw IdempotencyErased()
  const text = seals ? unsealed(keys, first.body, placeOf(ctx, attempt)) : first.body
  return { status: first.status, text, replayed: true }
}

const sealed = (keys: KeyRing, text: string, place: string) =>
  keys.seal('replies', text, place).toString('base64')

const unsealed = (keys: KeyRing, text: string, place: string) =>
  keys.open('replies', Buffer.from(text, 'base64'), place)

async function settle(tx: Tx, ctx: Ctx, { handle, answerOf }: Omit<Handler, 'prepare'>): Promise<Answer> {
  let failedInside = false
  const transaction: Ctx['transaction'] = async (work) => {
    try {
      const value = await work(tx)
      await tx.flush()
      return value
    } catch (error) {
      failedInside = true
      throw error
    }
  }
  try {
    return await handle({ ...ctx, transaction })
  } catch (error) {
    if (failedInside || !(error instanceof AppError) || !isKept(error)) throw error
    return answerOf(error)
  }
}

/** A fault of ours, and a scope that the caller lacks, may be otherwise the next time. */
const isKept = ({ code, status }: AppError) => status < 500 && code !== InsufficientScope.code

const idsIn = (text: string) => text.match(/\bc[a-z0-9]{24}\b/g) ?? []

/** Takes out the answers that speak of these records; repeating their request then says that it has been erased. */
export const scrubReplies = (tx: Queries & { workspaceId: string }, ids: readonly string[]) =>
  tx.run(sql`
    update idempotency_replies set body = null
    where workspace_id = ${tx.workspaceId} and subjects && ${ids}::text[] collate "C"`)

const sweepSize = 1000

/** Deletes the answers that are older than they are kept, so many at most; answers how many. */
export const deleteExpiredReplies = (tx: Queries & { workspaceId: string }, now: Date) =>
  tx.run(sql`
    delete from idempotency_replies
    where workspace_id = ${tx.workspaceId} and (credential_id, key) in (
      select credential_id, key from idempotency_replies
      where workspace_id = ${tx.workspaceId} and created_at <= ${new Date(now.getTime() - keptMs)}
      limit ${sweepSize})`)
