import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { InsufficientScope } from '#kernel/http/http-errors.ts'
import { definitionLevels } from '../../automations/public.ts'
import { DryRun, DryRunRequest } from './dry-run.ts'
import { runDry } from './run-dry.ts'

export const postAutomationDryRun = endpoint('POST /automations/{id}/dry-run', {
  scope: 'automations:read',
  summary: 'Preview an automation for a contact',
  description:
    'Shows each step that the contact would take and when, and for each message its content and whether it may be sent then. Changes to the contact apply to the steps after them. Without `assume`, no events happen during the dry run. A message that may be sent leaves at once. Outcomes that depend on others are assumed to succeed. Changes nothing. Also requires `contacts:read`.',
  body: DryRunRequest,
  bodyLevels: definitionLevels,
  readOnly: true,
  responses: { 200: DryRun },
  errors: { 403: '`insufficient_scope`: the request also requires the scope `contacts:read`.' },
  prepare: (ctx, { params, body }) => {
    // The caller's own conditions would reveal what the contact is like.
    if (!ctx.scopes.has('contacts:read')) throw InsufficientScope('contacts:read')
    return runDry(ctx, params.id, body)
  },
  handle: async (_, __, result) => ok(result),
})
