import type { Ctx } from '#kernel/context.ts'
import type { LimitedReader } from '#kernel/events/journal.ts'

/**
 * Hides leads from the masked credential that captured them: their place on a timeline would reveal which contact has
 * the number. A key that sees only what it created sees the events that it caused.
 */
export const readerOf = ({
  guarded,
  actor,
  creator,
}: Pick<Ctx, 'guarded' | 'actor' | 'creator'>): LimitedReader | undefined =>
  guarded ? { id: actor.id, ownSubject: 'lead', onlyOwn: creator !== undefined } : undefined
