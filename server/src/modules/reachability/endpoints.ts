import { orNotFound } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { findContact } from '../contacts/public.ts'
import { Reachability, findReachability } from './reachability.ts'

export const getContactReachability = endpoint('GET /contacts/{id}/reachability', {
  scope: 'contacts:read',
  summary: 'Check how a contact can be reached',
  description:
    'Returns, for each channel, whether the contact could be contacted now, and if not, why not and when at the earliest. The gates judge as in a preflight, except for the content. Channels that the credential may not use are left out: texts, WhatsApp, and email require `messages:send`, calls `calls:write`. Sends and records nothing.',
  responses: { 200: Reachability },
  handle: async (ctx, { params }) =>
    ok(await findReachability(ctx, orNotFound(await findContact(ctx.db, params.id)))),
})
