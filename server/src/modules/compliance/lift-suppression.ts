import type { Ctx, Tx } from '#kernel/context.ts'
import { NotFound, found } from '#kernel/errors.ts'
import { holdContacts } from '../contacts/public.ts'
import { SuppressionLifted } from './errors.ts'
import { RecipientUnsuppressed, announced } from './events.ts'
import { listByValue } from './find-suppressions.ts'
import { recordLifted } from './ledger/record-entries.ts'
import { ensureKey, findKeyIn, nameOf } from './suppression-key.ts'
import { type SuppressionRow, findSuppression, lockSuppression, updateLifted } from './suppression-queries.ts'
import type { Subject, SuppressionKind, SuppressionSource } from './suppression.ts'

// Lifting needs no `lockPersons`: a message that does not begin yet may begin later.

/** Ends what holds against a subject, an opt-out for all its channels; that it held is kept. 404 where nothing does. */
export const liftSuppression = (
  ctx: Ctx,
  { subject, kind, source }: { subject: Subject; kind: SuppressionKind; source: SuppressionSource },
): Promise<SuppressionRow> =>
  ctx.transaction(async (tx) => {
    if (subject.type === 'contact') await holdContacts(tx.unrestricted(), [subject.value])
    const lifted = await lift(tx, { subject: nameOf(await ensureKey(tx), subject), kind }, source)
    if (lifted === undefined) throw NotFound(`No ${kind} holds against this ${subject.type}.`)
    return lifted
  })

/** Ends one suppression. 409 `suppression_lifted` if it has ended. */
export const liftSuppressionById = (ctx: Ctx, id: string): Promise<SuppressionRow> =>
  ctx.transaction(async (tx) => {
    const { subject_type, subject } = found(await findSuppression(tx, id, ctx.masked))
    if (subject_type === 'contact') await holdContacts(tx.unrestricted(), [subject])
    const row = found(await lockSuppression(tx, id, ctx.masked))
    const lifted = row.lifted_at === null ? await lift(tx, row, 'api') : undefined
    if (lifted === undefined) throw SuppressionLifted()
    return lifted
  })

/** By these ways a person opts out in their own words: to us, or to their carrier. */
const ownWords: ReadonlySet<string> = new Set(['inbound', 'carrier'])

/**
 * Ends the opt-out that the person wrote before that time. What others recorded keeps holding. The caller holds the locks of the
 * person.
 */
export async function liftOptOut(tx: Tx, subject: Subject, before: Date): Promise<void> {
  const key = await findKeyIn(tx)
  const held = key === undefined ? [] : (await listByValue(tx, key, [subject])).get(subject.value)
  const own = held?.find(({ kind, source }) => kind === 'opted_out' && ownWords.has(source))
  if (own !== undefined && own.created_at <= before.toISOString()) await lift(tx, own, 'inbound')
}

async function lift(tx: Tx, which: Pick<SuppressionRow, 'subject' | 'kind'>, source: SuppressionSource) {
  const row = await updateLifted(tx, which, tx.actor, tx.clock.now())
  if (row === undefined) return undefined
  recordLifted(tx, row, source)
  await tx.emit(RecipientUnsuppressed, announced(row, source))
  return row
}
