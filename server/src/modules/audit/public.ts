export type { AuditEntry } from './audit-entry.ts'
export { listAudit } from './list-audit.ts'
