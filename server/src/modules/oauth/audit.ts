import type { Queries } from '#kernel/db/rows.ts'
import { type Actor, listJournal } from '#kernel/events/journal.ts'
import * as events from './events.ts'

/** A line of the audit log: what happened to an app or to what was granted to it. */
export interface AuditEntry {
  at: string
  event: string
  app_id: string
  app_name: string
  actor: Actor
  /** What else there is to know, by the event. */
  data: Record<string, unknown>
}

const names = Object.values(events).map(({ name }) => name)

/** The last of them, newest first, a thousand by default. It is the journal of the workspace, read for these events. */
export async function listAudit(db: Queries & { workspaceId: string }, limit = 1000): Promise<AuditEntry[]> {
  const rows = await listJournal(db, { names, from: '' }, { before: null, limit })
  return rows.map(({ name, occurred_at, actor, data }) => ({
    at: occurred_at,
    event: name,
    app_id: String(data['app_id'] ?? data['id']),
    app_name: String(data['app_name'] ?? data['name']),
    actor,
    data,
  }))
}
