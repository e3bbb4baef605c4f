import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { collectEvidence } from './collect-evidence.ts'
import { ContactEvidence } from './evidence.ts'

export const getContactEvidence = endpoint('GET /contacts/{id}/evidence', {
  scope: 'compliance:read',
  summary: "Retrieve a contact's evidence",
  description:
    'One file with all that says whether and why the contact could be contacted: the consents that came with its leads, its entries of the consent ledger with their proof, the suppressions that hold, and its messages with the decisions of the gates. What messages say is in it with `messages:read`. Of an erased contact it has what remains, without content. Without `contacts:read:pii`, entries and suppressions about a number or an address are left out unless the person or their carrier caused them.',
  attachment: 'evidence',
  responses: { 200: ContactEvidence },
  handle: async (ctx, { params }) => ok(await collectEvidence(ctx, params.id)),
})
