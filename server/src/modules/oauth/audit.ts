import type { Db } from '#kernel/db/handles.ts'
import type { EventType } from '#kernel/events/event.ts'
import { type Actor, listJournal } from '#kernel/events/journal.ts'
import * as events from './events.ts'

/** A line of the audit log of apps and grants. */
export interface AuditEntry {
  at: string
  event: string
  /** What happened, in a sentence. */
  summary: string
  app_id: string
  app_name: string
  actor: Actor
  /** The event's data. */
  data: Record<string, unknown>
}

const byName = new Map<string, EventType>(Object.values(events).map((type) => [type.name, type]))

/** The latest entries, newest first, from the workspace's journal. */
export async function listAudit(db: Db, limit = 1000): Promise<AuditEntry[]> {
  const rows = await listJournal(db, { names: [...byName.keys()], from: '' }, { before: null, limit })
  return rows.map(({ name, occurred_at, actor, data }) => ({
    at: occurred_at,
    event: name,
    summary: byName.get(name)?.entry(data).title ?? name,
    app_id: String(data['app_id'] ?? data['id']),
    app_name: String(data['app_name'] ?? data['name']),
    actor,
    data,
  }))
}
