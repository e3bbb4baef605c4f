import type { Ctx } from '#kernel/context.ts'
import type { LimitedReader } from '#kernel/events/journal.ts'

/**
 * Hides leads from the masked credential that captured them: their place on a timeline would reveal which contact has
 * the number.
 */
export const readerOf = ({ masked, actor }: Pick<Ctx, 'masked' | 'actor'>): LimitedReader | undefined =>
  masked ? { id: actor.id, ownSubject: 'lead' } : undefined
