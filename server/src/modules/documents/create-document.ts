import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import { requireReach } from '#kernel/reach.ts'
import { type Contact, lockNamedForShare, listContactsById, nameInText } from '../contacts/public.ts'
import { findDeal } from '../deals/public.ts'
import { type ConnectionRow, signatureConnectionFor } from '../senders/public.ts'
import { type DocumentRow, type StoredSigner, signingContactIds, documentRecord } from './document.ts'
import { DocumentAttached } from './errors.ts'
import { DocumentCreated } from './events.ts'
import { queueDocument } from './jobs.ts'
import { findAttached, findDocument, insertDocument, lockAttached } from './queries.ts'
import type { DocumentDraft, SignerDraft } from './schemas.ts'

/**
 * Adds a document: a new one from a template, or one that already exists at the provider. A job does the rest. Throws
 * 404 for references that are unknown or out of reach, and 409 for an erased contact or a document that is already
 * attached.
 */
export const createDocument = (
  ctx: Ctx,
  { signers: drafts = [], ...draft }: DocumentDraft,
): Promise<DocumentRow> =>
  ctx.transaction(async (tx) => {
    requireSource(draft, drafts)
    const requireContacts = await lockNamedForShare(tx, namedContacts(drafts))
    requireContacts()
    if (draft.owner_id !== undefined) requireReach(ctx.reach, draft.owner_id, 'owner_id')
    const deal = await dealNamed(tx, draft.deal_id)
    const connection = await signatureConnectionFor(tx, ctx, draft.connection_id)
    await requireFit(tx, connection, draft)
    const signers = await signersOf(tx, drafts)
    const now = ctx.clock.now()
    const row: DocumentRow = {
      ...documentRecord.create(draft, now),
      connection_id: connection.id,
      provider: connection.provider as DocumentRow['provider'],
      owner_id: draft.owner_id ?? ctx.memberId ?? deal?.owner_id ?? null,
      signers,
      created_by: { type: ctx.actor.type, id: ctx.actor.id },
    }
    insertDocument(tx, row, now)
    await tx.emit(DocumentCreated, { id: row.id, contact_ids: signingContactIds(row) })
    queueDocument(tx, row.id)
    return row
  })

type Source = Pick<DocumentDraft, 'template_id' | 'provider_document_id'>

function requireSource({ template_id, provider_document_id }: Source, signers: readonly SignerDraft[]): void {
  const fail = (path: string, message: string) => {
    throw ValidationFailed([{ path, message }])
  }
  if (template_id === undefined && provider_document_id === undefined)
    fail('template_id', 'is required unless provider_document_id is set')
  if (template_id !== undefined && provider_document_id !== undefined)
    fail('provider_document_id', 'cannot be combined with template_id')
  if (template_id !== undefined && signers.length === 0) fail('signers', 'is required with template_id')
  const issues = signers.flatMap(({ contact_id, name, email }, i) => {
    const isContact = contact_id !== undefined && name === undefined && email === undefined
    const isOther = contact_id === undefined && name !== undefined && email !== undefined
    return isContact || isOther
      ? []
      : [{ path: `signers.${i}`, message: 'must be a contact_id, or a name and an email' }]
  })
  if (issues.length > 0) throw ValidationFailed(issues)
}

const namedContacts = (signers: readonly SignerDraft[]) =>
  signers.flatMap(({ contact_id }, i) =>
    contact_id === undefined ? [] : [[`signers.${i}.contact_id`, contact_id] as const],
  )

/** The deal with this ID; undefined without an ID. Throws 404 if it is unknown or out of reach. */
export async function dealNamed(tx: Tx, id: string | null | undefined) {
  if (typeof id !== 'string') return undefined
  const deal = await findDeal(tx, id)
  if (deal === undefined) throw ReferenceNotFound('deal_id')
  return deal
}

async function requireFit(tx: Tx, { id, provider }: ConnectionRow, draft: Source): Promise<void> {
  const { template_id, provider_document_id: attached } = draft
  if (template_id !== undefined && provider === 'docusign')
    throw ValidationFailed([
      {
        path: 'template_id',
        message: 'is for Documenso; attach envelopes of DocuSign by provider_document_id',
      },
    ])
  if (attached === undefined) return
  lockAttached(tx, id, attached)
  const known = await findAttached(tx.unrestricted(), id, attached)
  if (known !== undefined) throw DocumentAttached((await findDocument(tx, known))?.id)
}

async function signersOf(tx: Tx, drafts: readonly SignerDraft[]): Promise<StoredSigner[]> {
  const ids = drafts.flatMap(({ contact_id }) => contact_id ?? [])
  const rows = ids.length === 0 ? [] : await listContactsById(tx, ids)
  const contacts = new Map(rows.map((row) => [row.id, row]))
  const signers = drafts.map((draft) => signerOf(draft, contacts.get(draft.contact_id ?? '')))
  const issues = signers.flatMap(({ email }, i) =>
    email === null ? [{ path: `signers.${i}.contact_id`, message: 'has no email address' }] : [],
  )
  if (issues.length > 0) throw ValidationFailed(issues)
  return signers
}

function signerOf(
  { contact_id, name, email, role }: SignerDraft,
  contact: Contact | undefined,
): StoredSigner {
  const named =
    contact &&
    [contact.first_name, contact.last_name]
      .map(nameInText)
      .filter((part) => part !== null)
      .join(' ')
  return {
    contact_id: contact_id ?? null,
    name: named || (name ?? contact?.email ?? null),
    email: contact?.email ?? email ?? null,
    role: role ?? null,
    status: 'draft',
    signed_at: null,
    provider_signer_id: null,
  }
}
