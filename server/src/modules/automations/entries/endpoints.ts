import { Type } from 'typebox'
import { found } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { reference } from '#kernel/records/fields.ts'
import { findAutomationOfOwn } from '../queries.ts'
import { AutomationEntry } from './entry.ts'
import { EntryExplanation, explainEntry } from './explain-entry.ts'
import { entryFilters, listEntries } from './queries.ts'

export const getAutomationEntries = listEndpoint('GET /automations/{id}/entries', {
  scope: 'automations:read',
  summary: 'List what could have started an automation',
  description:
    'Each event that could have enrolled a contact, and each step of another automation: whether the contact entered, and why not. Kept for 30 days.',
  item: AutomationEntry,
  filters: entryFilters,
  async rows(ctx, { params, query, page }) {
    found(await findAutomationOfOwn(ctx.db, params.id))
    return listEntries(ctx.db, params.id, query, page)
  },
})

export const postAutomationExplain = endpoint('POST /automations/{id}/explain', {
  scope: 'automations:read',
  summary: 'Explain whether a contact would enter',
  description:
    'Whether one of the triggers would enroll the contact now, and all that is in the way, with the tests that fail. Changes nothing.',
  body: Type.Object(
    { contact_id: reference('contact', 'The contact in question.') },
    {
      title: 'EntryQuestion',
      additionalProperties: false,
      examples: [{ contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y' }],
    },
  ),
  responses: { 200: EntryExplanation },
  handle: async (ctx, { params, body }) => ok(await explainEntry(ctx, params.id, body.contact_id)),
})
