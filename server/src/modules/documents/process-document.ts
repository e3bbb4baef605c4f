import type { Ctx } from '#kernel/context.ts'
import { type ProviderAccount, openAccount, recordCredentials } from '../senders/public.ts'
import { changeDocument } from './change-document.ts'
import { asRead } from './connect-simulated.ts'
import type { DocumentRow } from './document.ts'
import { eraseAtProvider } from './erase-at-provider.ts'
import { type FileFault, fetchFile } from './fetch-file.ts'
import { lockWithContacts } from './lock.ts'
import type { DocumentDependencies, Fault, SignatureProvider } from './ports.ts'
import { findDocument, saveNextLook } from './queries.ts'
import { nextLook, recordProgress } from './record-progress.ts'
import { maySign } from './statuses.ts'

interface With extends Pick<DocumentDependencies, 'files'> {
  account: ProviderAccount
  provider: SignatureProvider
}

/**
 * Performs the outstanding steps of a document at its provider: creates and sends it, or voids it, reads back its
 * state, and fetches the signed file. An erased document is deleted at the provider instead. Idempotent. Throws while
 * the provider is unavailable, so that the job is retried.
 */
export async function processDocument(
  ctx: Ctx,
  { signing, files }: Pick<DocumentDependencies, 'signing' | 'files'>,
  id: string,
): Promise<void> {
  const document = await findDocument(ctx.db, id)
  const account = document?.connection_id ? await openAccount(ctx, document.connection_id) : undefined
  const provider = account && signing[account.provider]
  if (document === undefined || account === undefined || provider === undefined) return
  const isErased = document.erased_at !== null
  if (!isErased && !maySign(document.status) && document.status !== 'signed')
    return ctx.transaction(async (tx) => saveNextLook(tx, id, null))
  const tools = { account, provider, files }
  const tended = isErased ? eraseAtProvider : advance
  let found = await tended(ctx, tools, document)
  if (isForgotten(account, document, found) && document.provider_document_id !== null) {
    await provider.restore?.(account, document.provider_document_id, asRead(document))
    found = await tended(ctx, tools, document)
  }
  const fault = isForgotten(account, document, found) ? forgotten : found
  const rejects = fault?.fault === 'credentials_rejected'
  if (rejects || fault === undefined) await recordCredentials(ctx, account, rejects)
  if (fault === undefined) return
  await recordFault(ctx, id, fault)
  if (fault.fault === 'provider_unavailable') throw new Error(fault.message)
}

/** The simulated provider loses its state when the process ends. */
const isForgotten = (
  { simulated }: ProviderAccount,
  { template_id }: DocumentRow,
  found: Fault | FileFault | undefined,
) => simulated && template_id !== null && found?.fault === 'document_not_found'

const forgotten: Fault = {
  fault: 'provider_unavailable',
  message: 'The simulated provider has forgotten the document.',
}

/** Performs the remaining steps, and stops at the first fault. */
async function advance(ctx: Ctx, tools: With, document: DocumentRow): Promise<Fault | FileFault | undefined> {
  const { account, provider } = tools
  const { id, template_id, void_requested_at, void_reason } = document
  const made = await madeAtProvider(ctx, tools, document)
  if (made === undefined || typeof made !== 'string') return made
  if (document.status === 'draft' && template_id !== null && void_requested_at === null) {
    const fault = await provider.send?.(account, made)
    if (fault !== undefined) return fault
  }
  let notVoided: Fault | undefined
  if (maySign(document.status) && void_requested_at !== null) {
    // Created by Gable and not sent to anyone yet.
    const isUnsent = document.status === 'draft' && template_id !== null
    notVoided = isUnsent
      ? await provider.discard(account, made)
      : await provider.void(account, made, void_reason ?? 'The document is no longer needed.')
    // A rejection can also mean that the last signature came first; reading the document back decides.
    if (notVoided !== undefined && !tooLate.has(notVoided.fault)) return notVoided
  }
  const read = await provider.read(account, made)
  if ('fault' in read)
    return read.fault === 'document_not_found' && !account.simulated ? notThere(ctx, document, read) : read
  const after = await recordProgress(ctx, id, read)
  if (after !== undefined && maySign(after.status)) return notVoided
  if (after?.status !== 'signed' || after.file_stored_at !== null || after.erased_at !== null)
    return undefined
  return fetchFile(ctx, tools, after)
}

/** The provider's ID of the document. Creates the document at the provider first if necessary. */
async function madeAtProvider(
  ctx: Ctx,
  { account, provider }: With,
  { id, template_id, provider_document_id, title, signers, status }: DocumentRow,
): Promise<string | Fault | undefined> {
  if (provider_document_id !== null) return provider_document_id
  if (template_id === null || provider.prepare === undefined || status !== 'draft') return undefined
  const prepared = await provider.prepare(account, {
    documentId: id,
    templateId: template_id,
    title,
    signers: signers.map(({ name, email, role }) => ({ name: name ?? '', email: email ?? '', role })),
  })
  if ('fault' in prepared) return prepared
  const { providerDocumentId } = prepared
  if (await recordProviderDocument(ctx, id, providerDocumentId)) return providerDocumentId
  // Voided, erased, or created by another run in the meantime. This copy was not sent to anyone.
  return provider.discard(account, providerDocumentId)
}

/** Records the provider's ID of a new document. Returns whether the document is still wanted. */
export const recordProviderDocument = (ctx: Ctx, id: string, providerDocumentId: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const locked = await lockWithContacts(tx, id)
    if (locked === undefined || locked.provider_document_id !== null || locked.status !== 'draft')
      return false
    await changeDocument(tx, locked, { provider_document_id: providerDocumentId })
    return true
  })

/** A document that existed at the provider and is now missing was deleted there. One that never existed is an error. */
async function notThere(ctx: Ctx, { id, status, template_id }: DocumentRow, fault: Fault) {
  if (status === 'draft' && template_id === null) return fault
  if (status === 'signed') return { ...fault, fault: 'file_rejected' as const }
  await ctx.transaction(async (tx) => {
    const document = await lockWithContacts(tx, id)
    if (document === undefined || !maySign(document.status)) return
    await changeDocument(tx, document, { status: 'voided' })
    saveNextLook(tx, id, null)
  })
  return undefined
}

const tooLate = new Set(['rejected', 'document_not_found'])

/** Faults that a retry cannot fix. */
const final = new Set([
  'document_not_found',
  'file_rejected',
  'rejected',
  'signers_mismatch',
  'template_not_found',
])

const recordFault = (ctx: Ctx, id: string, { fault: code, message }: Fault | FileFault): Promise<void> =>
  ctx.transaction(async (tx) => {
    const document = await lockWithContacts(tx, id)
    if (document === undefined) return
    await changeDocument(tx, document, { error: { code, message } })
    const isOver = final.has(code) && document.erased_at === null
    saveNextLook(tx, id, isOver ? null : nextLook(document, tx.clock.now()))
  })
