import type { Ctx, Tx } from '#kernel/context.ts'
import { lockPersons } from '../contacts/public.ts'
import { listByValue } from './find-suppressions.ts'
import { personsOf, suppressIn } from './suppress.ts'
import { findKeyIn } from './suppression-key.ts'
import type { SuppressionRow } from './suppression-queries.ts'
import type { SuppressionDraft } from './suppression.ts'

/** Records one suppression, and returns whether it is new. An active suppression gets the channels that it lacks. */
export const addSuppression = (
  ctx: Ctx,
  draft: SuppressionDraft,
): Promise<{ row: SuppressionRow; isNew: boolean }> =>
  ctx.transaction(async (tx) => {
    await lockPersons(tx, personsOf([draft]))
    const before = await findHeld(tx, draft)
    await suppressIn(tx, [draft])
    const row = await findHeld(tx, draft)
    if (row === undefined) throw new Error('What was just suppressed is not.')
    return { row, isNew: before === undefined }
  })

async function findHeld(tx: Tx, { subject, kind }: SuppressionDraft): Promise<SuppressionRow | undefined> {
  const key = await findKeyIn(tx)
  const held = key === undefined ? undefined : await listByValue(tx, key, [subject])
  return held?.get(subject.value)?.find((one) => one.kind === kind)
}
