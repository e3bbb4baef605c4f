import type { Ctx, Tx } from '#kernel/context.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { lockContactsForShare } from '../contacts/public.ts'
import { SuppressionLifted } from './errors.ts'
import { RecipientUnsuppressed, announced } from './events.ts'
import { listByValue } from './find-suppressions.ts'
import { recordLifted } from './ledger/record-entries.ts'
import { ensureKey, findKeyIn, nameOf } from './suppression-key.ts'
import { type SuppressionRow, findSuppression, lockSuppression, updateLifted } from './suppression-queries.ts'
import type { Subject, SuppressionKind, SuppressionSource } from './suppression.ts'

// Lifting needs no `lockPersons`: in a race, a message stays blocked and can be sent later.

/** Lifts a subject's suppression of this kind; an opt-out, for all its channels. Keeps its record. Throws 404 if none is active. */
export const liftSuppression = (
  ctx: Ctx,
  { subject, kind, source }: { subject: Subject; kind: SuppressionKind; source: SuppressionSource },
): Promise<SuppressionRow> =>
  ctx.transaction(async (tx) => {
    if (subject.type === 'contact') await lockContactsForShare(tx.unrestricted(), [subject.value])
    const lifted = await lift(tx, { subject: nameOf(await ensureKey(tx), subject), kind }, source)
    if (lifted === undefined) throw NotFound(`No ${kind} holds against this ${subject.type}.`)
    return lifted
  })

/** Lifts one suppression. Throws 404 if it does not exist, and 409 `suppression_lifted` if it is already lifted. */
export const liftSuppressionById = (ctx: Ctx, id: string): Promise<SuppressionRow> =>
  ctx.transaction(async (tx) => {
    const { subject_type, subject } = orNotFound(await findSuppression(tx, id, ctx.masked))
    if (subject_type === 'contact') await lockContactsForShare(tx.unrestricted(), [subject])
    const row = orNotFound(await lockSuppression(tx, id, ctx.masked))
    const lifted = row.lifted_at === null ? await lift(tx, row, 'api') : undefined
    if (lifted === undefined) throw SuppressionLifted()
    return lifted
  })

/** Sources of opt-outs in a person's own words: a message from them, or a report from their carrier. */
const ownWords: ReadonlySet<string> = new Set(['inbound', 'carrier'])

/**
 * Lifts the opt-out that the person wrote at or before this time, or the one that `isEnded` names. An opt-out that someone else recorded stays active. The caller holds
 * the person's locks.
 */
export async function liftOptOut(
  tx: Tx,
  subject: Subject,
  before: Date,
  isEnded: (row: SuppressionRow) => boolean = ({ source }) => ownWords.has(source),
): Promise<void> {
  const key = await findKeyIn(tx)
  const held = key === undefined ? [] : (await listByValue(tx, key, [subject])).get(subject.value)
  const own = held?.find((row) => row.kind === 'opted_out' && isEnded(row))
  if (own !== undefined && own.created_at <= before.toISOString()) await lift(tx, own, 'inbound')
}

async function lift(tx: Tx, which: Pick<SuppressionRow, 'subject' | 'kind'>, source: SuppressionSource) {
  const row = await updateLifted(tx, which, tx.actor, tx.clock.now())
  if (row === undefined) return undefined
  recordLifted(tx, row, source)
  await tx.emit(RecipientUnsuppressed, announced(row, source))
  return row
}
