import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { collectEvidence } from './collect-evidence.ts'
import { ContactEvidence } from './evidence.ts'

export const getContactEvidence = endpoint('GET /contacts/{id}/evidence', {
  scope: 'compliance:read',
  summary: "Retrieve a contact's evidence",
  description:
    'Returns one file with everything that shows whether and why the contact could be contacted: the consents of its leads, its entries in the consent ledger with their proof, its active suppressions, and its messages with the decisions of the gates. The content of messages requires `messages:read`. For an erased contact, the file has what remains, without content. Without `contacts:read:pii`, the file omits entries and suppressions about a number or an address unless the person or their carrier caused them.',
  attachment: 'evidence',
  responses: { 200: ContactEvidence },
  handle: async (ctx, { params }) => ok(await collectEvidence(ctx, params.id)),
})
