import type { Hours } from './rule.ts'

/** A member of the workspace as the decision sees them. */
export interface Agent {
  id: string
  role: 'owner' | 'admin' | 'agent'
  active: boolean
  office_id: string | null
  team_ids: readonly string[]
  /** Takes no new leads before then, epoch milliseconds; Infinity until further notice. */
  paused_until: number | null
  /** When they take leads; always, where there are none. */
  shifts: readonly Hours[]
  /** Of the shifts; null: the rule set's. */
  timezone: string | null
  /** Leads they have that are neither converted nor disqualified. */
  open: number
  /** Epoch milliseconds. */
  last_assigned_at: number | null
  /** When they were assigned leads in the last 26 hours, epoch milliseconds, newest first; as many as the caps ask about. */
  recent: readonly number[]
}
