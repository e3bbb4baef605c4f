import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { reference } from '#kernel/records/fields.ts'
import { findAutomationOfOwn } from '../../automations/public.ts'
import { AutomationEntry } from './entry.ts'
import { EntryExplanation, explainEntry } from './explain-entry.ts'
import { entryFilters, listEntries } from './queries.ts'

export const getAutomationEntries = listEndpoint('GET /automations/{id}/entries', {
  scope: 'automations:read',
  summary: 'List the entries of an automation',
  description:
    'Lists each event, and each step of another automation, that could have enrolled a contact. Each entry says whether the contact was enrolled, and why not. Gable keeps entries for 30 days.',
  item: AutomationEntry,
  filters: entryFilters,
  async rows(ctx, { params, query, page }) {
    orNotFound(await findAutomationOfOwn(ctx.db, params.id))
    return listEntries(ctx.db, params.id, query, page)
  },
})

export const postAutomationExplain = endpoint('POST /automations/{id}/explain', {
  scope: 'automations:read',
  summary: 'Explain whether a contact would be enrolled',
  description:
    'Returns whether a trigger would enroll the contact now, and everything that prevents it, including the tests that fail. Changes nothing.',
  body: Type.Object(
    { contact_id: reference('contact', 'The contact to check.') },
    {
      title: 'EntryQuestion',
      additionalProperties: false,
      examples: [{ contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y' }],
    },
  ),
  readOnly: true,
  responses: { 200: EntryExplanation },
  handle: async (ctx, { params, body }) => ok(await explainEntry(ctx, params.id, body.contact_id)),
})
