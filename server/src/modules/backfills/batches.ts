import type { Batches } from '../enrollments/public.ts'
import { changeSome } from './changes/change-some.ts'
import { findNextChange } from './changes/queries.ts'
import { moveBackfills } from './move-backfills.ts'
import { findNextBackfill } from './queries.ts'

/** What the engine does for many enrollments at once: bulk changes, and enrolling contacts. */
export const batches: Batches = {
  change: changeSome,
  enroll: moveBackfills,
  async findNextDue(db) {
    const [change, backfill] = await Promise.all([findNextChange(db), findNextBackfill(db)])
    return change?.created_at ?? backfill
  },
}
