import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { didYouMean } from '#kernel/http/validation.ts'
import { type AuditEntry, presentAuditEntry } from './audit-entry.ts'
import { type AuditQuery, listAuditRows } from './queries.ts'

/** The newest entries of the audit log that match the query. */
export async function listAudit(
  { db, eventTypes }: Pick<Ctx, 'db' | 'eventTypes'>,
  query: AuditQuery,
  limit: number,
): Promise<AuditEntry[]> {
  const rows = await listAuditRows(db, query, { before: null, limit })
  return rows.map((row) => presentAuditEntry(eventTypes, row))
}

/** Throws `ValidationFailed` unless this event type is audited. */
export function requireAuditType({ eventTypes }: Pick<Ctx, 'eventTypes'>, type: string): void {
  if (eventTypes.get(type)?.audit === true) return
  const audited = [...eventTypes.values()].filter(({ audit }) => audit).map(({ name }) => name)
  const message = `"${type}" is not in the audit log${didYouMean(type, audited)}`
  throw ValidationFailed([{ path: 'type', message }])
}
