import { type Static, Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { masked } from '#kernel/masking/masked.ts'
import { extendBody, extendRecord } from '#kernel/records/extend.ts'
import { freeText, reference } from '#kernel/records/fields.ts'
import { Email, Timestamp, nullable, oneLine } from '#kernel/schemas.ts'
import { fileLink } from '../files/public.ts'
import { type DocumentRow, Signer, documentRecord } from './document.ts'

const SignerDraft = Type.Object(
  {
    contact_id: Type.Optional(reference('contact', 'A contact with an email address.')),
    name: Type.Optional({
      ...freeText(120, 'The name of a signer who is not a contact.'),
      minLength: 1,
      pattern: oneLine,
    }),
    email: Type.Optional(masked('email', Email)),
    role: Type.Optional({
      ...freeText(80, "The recipient's name in the template. By default, signers are matched in order."),
      minLength: 1,
    }),
  },
  { additionalProperties: false },
)
export type SignerDraft = Static<typeof SignerDraft>

const maxSigners = 30

const Extended = extendBody(documentRecord.Draft, {
  signers: Type.Array(SignerDraft, {
    maxItems: maxSigners,
    description:
      'The signers. Each is a contact, or another person by name and email address. Required with `template_id`, with one signer for each of its recipients. With `provider_document_id`, it says which contacts the signers are; Gable finds other contacts by their email address.',
  }),
})
const [example] = (documentRecord.Draft as unknown as { examples: object[] }).examples
export const DocumentDraft: typeof Extended = Object.assign(Extended, {
  examples: [
    {
      ...example,
      signers: [
        { name: 'Ada Reyes', email: 'ada@reyes.example', role: 'Buyer' },
        { name: 'Sam Reyes', email: 'sam@reyes.example' },
      ],
    },
  ],
})
export type DocumentDraft = Static<typeof DocumentDraft>

export const VoidRequest = Type.Object(
  { reason: Type.Optional(freeText(200, 'The signers are sent it.')) },
  { title: 'VoidRequest', additionalProperties: false, examples: [{ reason: 'The terms have changed.' }] },
)

export const Document = extendRecord(
  'Document',
  documentRecord,
  {
    signers: Type.Array(Signer),
    file_url: nullable(
      Type.String({
        description:
          'The address for downloading the signed PDF, created for each read. It is valid for five minutes, and as long as the credential may read deals. Null until Gable has the file.',
      }),
    ),
    file_expires_at: nullable(Timestamp),
  },
  {
    signers: [
      {
        contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
        name: 'Ada Reyes',
        email: 'a***@reyes.example',
        role: 'Buyer',
        status: 'viewed',
        signed_at: null,
      },
    ],
    file_url: null,
    file_expires_at: null,
  },
)

/** The document for an API response. */
export function presentDocument(
  { file_id, file_stored_at, void_reason: _reason, signers, ...shown }: DocumentRow,
  ctx: Ctx,
): Static<typeof Document> {
  const link = file_id === null || file_stored_at === null ? undefined : fileLink(ctx, file_id)
  return {
    ...shown,
    signers: signers.map(({ provider_signer_id: _, found, ...signer }) => ({
      ...signer,
      contact_id: ctx.masked && found === true ? null : signer.contact_id,
    })),
    file_url: link?.url ?? null,
    file_expires_at: link?.expires_at ?? null,
  } as Static<typeof Document>
}
