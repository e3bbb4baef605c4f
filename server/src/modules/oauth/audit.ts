import type { Ctx } from '#kernel/context.ts'
import { type AuditEntry, listAudit } from '../audit/public.ts'

/** The newest audit log entries about apps and grants. */
export const listAppAudit = (ctx: Pick<Ctx, 'db' | 'eventTypes'>, limit = 1000): Promise<AuditEntry[]> =>
  listAudit(ctx, { subjects: ['app', 'grant'] }, limit)

/** The app of such an entry, with its name at that time. */
export const appOfEntry = ({ data }: AuditEntry): { id: string; name: string } => ({
  id: String(data['app_id'] ?? data['id']),
  name: String(data['app_name'] ?? data['name']),
})
