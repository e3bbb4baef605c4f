import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { AuditEntry, presentAuditEntry } from './audit-entry.ts'
import { requireAuditType } from './list-audit.ts'
import { auditFilters, listAuditRows } from './queries.ts'

export const getAuditLog = listEndpoint('GET /audit-log', {
  scope: 'settings:manage',
  summary: 'List the audit log',
  description:
    'Lists who changed what in the workspace, newest first: members, invitations, offices, teams, API keys, apps and their access, and webhooks. Also lists erased contacts, lifted suppressions, and requests to enroll contacts in automations. Gable keeps all entries, and no one can change them.',
  item: AuditEntry,
  filters: auditFilters,
  rows(ctx, { query, page }) {
    if (query.type !== undefined) requireAuditType(ctx, query.type)
    return listAuditRows(ctx.db, query, page)
  },
  present: (row, { eventTypes }) => presentAuditEntry(eventTypes, row),
})
