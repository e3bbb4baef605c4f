import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import {
  type RowOf,
  createOnly,
  createdBy,
  freeText,
  internal,
  optional,
  readOnly,
  reference,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { signatureProviders } from '../senders/public.ts'
import { documentStatuses, signerStatuses } from './statuses.ts'

const providerId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\w.:-]+$', 'x-id-of': 'provider', description })

const time = (description: string) => readOnly(nullable({ ...Timestamp, description }), null)

const signer = {
  contact_id: nullable(
    reference('contact', 'Null for a person who is not a contact, or a contact that you cannot see.'),
  ),
  name: nullable(masked('text', Type.String())),
  email: nullable(masked('email', Type.String())),
  role: nullable(
    masked('text', Type.String({ description: 'The name that the template or the provider uses.' })),
  ),
  status: Type.Enum(signerStatuses, { title: 'SignerStatus' }),
  signed_at: nullable(Timestamp),
}

/** A signer in API responses. */
export const Signer = Type.Object(signer, { title: 'Signer' })

const StoredSigner = Type.Object({
  ...signer,
  provider_signer_id: nullable(Type.String()),
  /** Whether the contact was found by the address. A masked credential must not learn whose address it is. */
  found: Type.Optional(Type.Boolean()),
})
export type StoredSigner = Static<typeof StoredSigner>

export const documentFields = {
  title: optional(
    freeText(255, 'The title. By default the title of the template, or of the document at the provider.'),
  ),
  deal_id: optional(reference('deal', 'The deal of the document.')),
  owner_id: optional(
    reference(
      'member',
      'The member who owns the document. By default the member who adds it, or else the owner of the deal.',
    ),
  ),
  connection_id: createOnly(
    optional(
      reference(
        'signature_connection',
        'The connection with the provider. By default the first one; without any, the simulated one where the simulated carrier is in effect.',
      ),
    ),
  ),
  provider: readOnly(Type.Enum(signatureProviders), 'documenso'),
  template_id: createOnly(
    optional(providerId("The provider's ID of the template to create the document from.")),
  ),
  provider_document_id: createOnly(
    optional(
      providerId(
        "The provider's ID of the document. In a request, it attaches a document that was created at the provider, instead of `template_id`.",
      ),
    ),
  ),
  /** Responses omit the provider's signer IDs. */
  signers: internal(Type.Array(StoredSigner), []),
  status: readOnly(
    Type.Enum(documentStatuses, {
      title: 'DocumentStatus',
      description:
        'The status that the provider reports. `draft` until the document is sent; `signed` once everyone has signed; `expired` if a signer missed the deadline.',
    }),
    'draft',
  ),
  sent_at: time('When the document was sent to the signers, or when Gable first learned of it.'),
  signed_at: time('When the last signer signed.'),
  void_requested_at: time(
    'When voiding was requested. The `status` becomes `voided` once the provider has voided the document.',
  ),
  error: readOnly(
    nullable(
      Type.Object(
        {
          code: Type.String({
            description:
              '`template_not_found`, `signers_mismatch`, `document_not_found`, `credentials_rejected`, `provider_unavailable`, `rejected` or `file_rejected`.',
          }),
          // Masked, because it can contain the signers' roles.
          message: masked('text', Type.String()),
        },
        { description: 'Why the last request to the provider failed. Null if it succeeded.' },
      ),
    ),
    null,
  ),
  erased_at: time(
    'When a contact among the signers was erased. The title, names, and the file are removed, and Gable asks the provider to remove its copy.',
  ),
  created_by: createdBy(),
  void_reason: internal(nullable(Type.String()), null),
  file_id: internal(nullable(Type.String()), null),
  file_stored_at: internal(nullable(Timestamp), null),
}

export const documentRecord = defineRecord('Document', {
  fields: documentFields,
  example: {
    title: 'Offer to purchase, 12 Elm Street',
    template_id: 'envelope_kzvdqxdbhcmdzqsa',
  },
  shownExample: {
    deal_id: 'cmi8h8p6f0008k9c3z7j5d1w2',
    owner_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    connection_id: 'cmi8h4y3k0002d5f7g9h1j3k5',
    provider_document_id: 'envelope_abcdefhiklmnorst',
    status: 'viewed',
    sent_at: '2026-11-20T20:11:07.310Z',
    created_by: { type: 'member', id: 'cmi8h2k5p0000y7w2d5g8j1m4' },
  },
  patchExample: { title: 'Counteroffer, 12 Elm Street' },
})
export type DocumentRow = RowOf<typeof documentFields>

/** The contacts among the signers, without duplicates. */
export const signingContactIds = ({ signers }: Pick<DocumentRow, 'signers'>): string[] => [
  ...new Set(signers.flatMap(({ contact_id }) => contact_id ?? [])),
]

/** The document after one of its signers is erased. Its status, its times, and the other signers remain. */
export const erasedDocument = (
  { signers }: DocumentRow,
  isErased: (signer: StoredSigner) => boolean,
): Partial<DocumentRow> => ({
  title: null,
  signers: signers.map((one) => (isErased(one) ? { ...one, name: null, email: null } : one)),
  void_reason: null,
  file_id: null,
  file_stored_at: null,
})
