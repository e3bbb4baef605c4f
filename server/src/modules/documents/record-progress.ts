import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { lockContactsForShare, listContactPoints, toEmailAddress } from '../contacts/public.ts'
import { changeDocument } from './change-document.ts'
import type { DocumentRow, StoredSigner } from './document.ts'
import { lockWithContacts } from './lock.ts'
import type { ReadDocument, ReadSigner } from './ports.ts'
import { saveNextLook } from './queries.ts'
import { maySign, risen } from './statuses.ts'

/** How soon a document is checked again, in case a callback was lost. */
const openMs = 60 * 60_000
const pendingMs = 10 * 60_000

/** Records the provider's state. Idempotent, and tolerates stale reads in any order. Erased data stays erased. */
export const recordProgress = (ctx: Ctx, id: string, read: ReadDocument): Promise<DocumentRow | undefined> =>
  ctx.transaction(async (tx) => {
    const known = await contactPointsOf(tx, read.signers)
    const before = await lockWithContacts(
      tx,
      id,
      known.map(({ contact_id }) => contact_id),
    )
    const contacts = await presentByAddress(tx, known)
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

/** The present and former contact points of contacts who currently have one of these signers' addresses. */
function contactPointsOf(tx: Tx, signers: readonly ReadSigner[]) {
  const points = signers.flatMap(({ email }) => {
    const value = toEmailAddress(email)
    return value === undefined ? [] : [{ type: 'email' as const, value }]
  })
  return points.length === 0 ? [] : listContactPoints(tx, { contactIds: [], points })
}

/** Maps addresses to contacts that are not erased, and prevents their erasure until the transaction ends. */
async function presentByAddress(
  tx: Tx,
  known: Awaited<ReturnType<typeof contactPointsOf>>,
): Promise<ReadonlyMap<string, string>> {
  if (known.length === 0) return new Map()
  const held = await lockContactsForShare(tx, [...new Set(known.map(({ contact_id }) => contact_id))])
  const present = new Set(held.filter(({ erased_at }) => erased_at === null).map(({ id }) => id))
  // If several contacts share an address, the oldest one wins.
  return new Map(
    known
      .filter(({ contact_id, former_since }) => former_since === null && present.has(contact_id))
      .toSorted((one, other) => (one.contact_id < other.contact_id ? 1 : -1))
      .map(({ value, contact_id }) => [value, contact_id]),
  )
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
        contact_id: signer?.contact_id ?? contacts.get(one.email.toLowerCase()) ?? null,
        name: one.name === '' ? (signer?.name ?? null) : one.name,
        email: one.email === '' ? (signer?.email ?? null) : one.email,
        role: signer?.role ?? one.role,
        ...progress,
      },
    ]
  })
}
