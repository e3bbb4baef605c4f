import type { Db } from '#kernel/db/handles.ts'
import { type Automation, presentAutomation } from './automation.ts'
import { countActive } from './queries.ts'

/** The automation for a response, with counts of its enrolled contacts. */
export async function withStats(db: Db, automation: Automation) {
  const counts = await countActive(db, automation.id)
  const sum = (rows: typeof counts) => rows.reduce((total, { count }) => total + count, 0)
  const of = (status: string) => sum(counts.filter((row) => row.status === status))
  const versions = [...Map.groupBy(counts, ({ version }) => version)].map(([version, rows]) => ({
    version,
    active: sum(rows),
  }))
  return {
    ...presentAutomation(automation),
    stats: { queued: of('queued'), running: of('running'), paused: of('paused'), versions },
  }
}
