import type { Batches } from '../enrollments/public.ts'
import { changeSome } from './changes/change-some.ts'
import { findNextChange } from './changes/queries.ts'
import { moveBackfills } from './move-backfills.ts'
import { findNextBackfill } from './queries.ts'

/** What the engine does for many enrollments at once: bulk changes, and enrolling contacts. */
export const batches: Batches = {
  change: changeSome,
  enroll: moveBackfills,
  findNextDue: async (db) => (await findNextChange(db))?.created_at ?? findNextBackfill(db),
}
