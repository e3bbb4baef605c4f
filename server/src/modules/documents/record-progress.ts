import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { listContactPoints, listHolders, toEmailAddress } from '../contacts/public.ts'
import { findRestoredAt } from '../installation/public.ts'
import { asReceived } from '../messages/public.ts'
import { changeDocument } from './change-document.ts'
import type { DocumentRow, StoredSigner } from './document.ts'
import { lockWithContacts } from './lock.ts'
import type { ReadDocument, ReadSigner } from './ports.ts'
import { saveNextLook } from './queries.ts'
import { maySign, risen } from './statuses.ts'

/** How soon a document is checked again, in case a callback was lost. */
const openMs = 60 * 60_000
const pendingMs = 10 * 60_000

/**
 * Records the provider's state. Idempotent, and tolerates stale reads in any order. Erased data stays erased. A document that was
 * completed before a restore starts nothing.
 */
export const recordProgress = (ctx: Ctx, id: string, read: ReadDocument): Promise<DocumentRow | undefined> =>
  ctx.transaction(async (inTime) => {
    const completedAt = read.completedAt === null ? ctx.clock.now() : new Date(read.completedAt)
    const tx = asReceived(inTime, completedAt, await findRestoredAt(ctx.directory))
    const points = pointsOf(read.signers)
    const known = points.length === 0 ? [] : await listContactPoints(tx, { contactIds: [], points })
    const before = await lockWithContacts(
      tx,
      id,
      known.map(({ contact_id }) => contact_id),
    )
    const contacts = await holdersOf(tx, points)
    if (before === undefined) return undefined
    const at = tx.clock.now()
    const status = risen(before.status, read.status)
    const isSent = before.status === 'draft' && status !== 'draft'
    const after = await changeDocument(tx, before, {
      status,
      signers: signersOf(before, read.signers, contacts),
      title:
        before.title ?? (before.erased_at === null && read.title !== '' ? read.title.slice(0, 255) : null),
      sent_at: before.sent_at ?? read.sentAt ?? (isSent ? at.toISOString() : null),
      signed_at: before.signed_at ?? (status === 'signed' ? (read.completedAt ?? at.toISOString()) : null),
      error: null,
    })
    saveNextLook(tx, id, nextLook(after, at))
    return after
  })

/**
 * When to check a document next: an open document, or an erased one that the provider has yet to delete, after an hour;
 * a draft, a requested void, or a missing signed file sooner; a finished document never.
 */
export function nextLook(document: DocumentRow, at: Date): Date | null {
  const { status, void_requested_at, file_stored_at, erased_at } = document
  if (erased_at !== null) return later(at, openMs)
  if (status === 'signed') return file_stored_at === null ? later(at, pendingMs) : null
  if (!maySign(status)) return null
  return later(at, status === 'draft' || void_requested_at !== null ? pendingMs : openMs)
}

const pointsOf = (signers: readonly ReadSigner[]) =>
  signers.flatMap(({ email }) => {
    const value = toEmailAddress(email)
    return value === undefined ? [] : [{ type: 'email' as const, value }]
  })

/** Maps addresses to the contacts that hold them. The caller holds these contacts. */
async function holdersOf(tx: Tx, points: ReturnType<typeof pointsOf>): Promise<ReadonlyMap<string, string>> {
  const holders = new Map<string, string>()
  for (const point of points) {
    const [holder] = await listHolders(tx, [point])
    if (holder !== undefined) holders.set(point.value, holder.id)
  }
  return holders
}

/** The provider's signers, each matched to the known signer or contact. */
function signersOf(
  { signers: before, erased_at }: DocumentRow,
  read: readonly ReadSigner[],
  contacts: ReadonlyMap<string, string>,
): StoredSigner[] {
  if (read.length === 0) return before
  const free = [...before]
  const take = (isThey: (signer: StoredSigner) => boolean) => {
    const at = free.findIndex(isThey)
    return at < 0 ? undefined : free.splice(at, 1)[0]
  }
  const known = read.map(
    (one) =>
      take(({ provider_signer_id }) => provider_signer_id === one.providerSignerId) ??
      take(
        ({ provider_signer_id, email }) =>
          provider_signer_id === null && email?.toLowerCase() === one.email.toLowerCase(),
      ),
  )
  return read.flatMap((one, at) => {
    const signer = known[at]
    const progress = {
      status: risen(signer?.status ?? 'draft', one.status),
      signed_at: signer?.signed_at ?? one.signedAt,
      provider_signer_id: one.providerSignerId,
    }
    if (erased_at !== null) return signer === undefined ? [] : [{ ...signer, ...progress }]
    return [
      {
        ...contactOf(signer, contacts.get(one.email.toLowerCase())),
        name: one.name === '' ? (signer?.name ?? null) : one.name,
        email: one.email === '' ? (signer?.email ?? null) : one.email,
        role: signer?.role ?? one.role,
        ...progress,
      },
    ]
  })
}

/** A signer's contact: the known one, else the one that holds the address. */
const contactOf = (signer: StoredSigner | undefined, holder: string | undefined) =>
  (signer?.contact_id ?? null) === null && holder !== undefined
    ? { contact_id: holder, found: true }
    : { contact_id: signer?.contact_id ?? null, ...(signer?.found === true && { found: true }) }
