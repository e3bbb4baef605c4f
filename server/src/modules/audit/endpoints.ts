import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { AuditEntry, presentAuditEntry } from './audit-entry.ts'
import { requireAuditType } from './list-audit.ts'
import { auditFilters, listAuditRows } from './queries.ts'

export const getAuditLog = listEndpoint('GET /audit-log', {
  scope: 'settings:manage',
  summary: 'List the audit log',
  description:
    'Who changed what about the workspace, newest first: members, invitations, offices, teams, API keys, apps and their access, and webhooks. It also lists erased contacts and lifted suppressions. Entries are kept and cannot be changed.',
  item: AuditEntry,
  filters: auditFilters,
  rows(ctx, { query, page }) {
    if (query.type !== undefined) requireAuditType(ctx, query.type)
    return listAuditRows(ctx.db, query, page)
  },
  present: (row, { eventTypes }) => presentAuditEntry(eventTypes, row),
})
