import type { Ctx } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import { RecipientUnsuppressed, announced } from './events.ts'
import { ensureKey, nameOf } from './suppression-key.ts'
import { type SuppressionRow, updateLifted } from './suppression-queries.ts'
import type { Subject, SuppressionKind, SuppressionSource } from './suppression.ts'

/** Ends what holds against a subject, an opt-out for all its channels; that it held is kept. 404 where nothing does. */
export const liftSuppression = (
  ctx: Ctx,
  { subject, kind, source }: { subject: Subject; kind: SuppressionKind; source: SuppressionSource },
): Promise<SuppressionRow> =>
  ctx.transaction(async (tx) => {
    const name = nameOf(await ensureKey(tx), subject)
    const row = await updateLifted(tx, { subject: name, kind }, tx.actor, tx.clock.now())
    if (row === undefined) throw NotFound(`No ${kind} holds against this ${subject.type}.`)
    await tx.emit(RecipientUnsuppressed, announced(row, source))
    return row
  })
