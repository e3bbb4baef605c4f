import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { definitionLevels } from '../definition/definition.ts'
import { DryRun, DryRunRequest } from './dry-run.ts'
import { runDry } from './run-dry.ts'

export const postAutomationDryRun = endpoint('POST /automations/{id}/dry-run', {
  scope: 'automations:read',
  summary: 'Show what an automation would do with a contact',
  description:
    'Each step that it would take, and when; what its messages would say, and whether they may go then. What steps would change of the contact counts for those after them. Without `assume`, no event happens meanwhile; a message that may go leaves at once, and what depends on others is assumed to succeed. Changes nothing.',
  body: DryRunRequest,
  bodyLevels: definitionLevels,
  responses: { 200: DryRun },
  prepare: (ctx, { params, body }) => runDry(ctx, params.id, body),
  handle: async (_, __, result) => ok(result),
})
