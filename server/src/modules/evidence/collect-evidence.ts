import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { canonicalEntry, findLedgerEvidence, presentSuppression } from '../compliance/public.ts'
import { findContact, listHeldTimes } from '../contacts/public.ts'
import { artifactDigest, listConsentArtifacts } from '../leads/public.ts'
import { listMessagesOfContact, listUnassigned } from '../messages/public.ts'
import { type ContactEvidence, evidenced, limits } from './evidence.ts'

/**
 * Collects everything that shows whether and why a contact could be contacted, unmasked. Throws 404 for a contact out
 * of reach. Each part is limited; `complete` says which parts have everything.
 */
export async function collectEvidence(ctx: Ctx, contactId: string): Promise<ContactEvidence> {
  const contact = orNotFound(await findContact(ctx.db, contactId))
  const ledger = await findLedgerEvidence(ctx, contact, limits.entries)
  const captured = ledger.entries.flatMap(({ entry }) => (entry.kind === 'consent_captured' ? [entry] : []))
  const leadIds = captured.map(({ record_id }) => record_id)
  const points = await listHeldTimes(ctx.db, contactId)
  const most = limits.messages + 1
  const [artifacts, own, unassigned] = await Promise.all([
    listConsentArtifacts(ctx.db, { contactId, leadIds }, limits.consents + 1),
    listMessagesOfContact(ctx.db, contactId, most),
    // To a masked caller, they would reveal whose number it is that the caller wrote to.
    ctx.masked ? [] : listUnassigned(ctx.unrestricted().db, points, most),
  ])
  const messages = [
    ...own.filter(({ hidden_from }) => !ctx.masked || hidden_from === null),
    ...unassigned,
  ].toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const digestOf = new Map(captured.map((entry) => [entry.record_id, entry.artifact_sha256]))
  const { id, first_name, last_name, phone, email, created_at, erased_at } = contact
  return {
    generated_at: ctx.clock.now().toISOString(),
    contact: { id, first_name, last_name, phone, email, created_at, erased_at },
    points,
    complete: {
      consents: artifacts.length <= limits.consents,
      ledger: ledger.isComplete,
      messages: messages.length <= limits.messages,
    },
    consents: artifacts
      .slice(0, limits.consents)
      .filter(({ lead }) => !ctx.masked || lead.captured_by === null || lead.captured_by !== ctx.actor.id)
      .flatMap(({ lead, salt }) => consentOf(lead, salt, digestOf.get(lead.id))),
    suppressions: ledger.suppressions.map(presentSuppression),
    ledger: {
      head: ledger.head === undefined ? null : { sequence: ledger.head.sequence, hash: ledger.head.hash },
      entries: ledger.entries.map(({ entry, link }) => ({
        ...entry,
        proof:
          link === undefined
            ? null
            : {
                sequence: link.sequence,
                previous: link.previous,
                hash: link.hash,
                canonical: canonicalEntry(ctx.workspaceId, link.sequence, entry),
              },
      })),
    },
    messages: messages
      .slice(0, limits.messages)
      .map((message) => evidenced(message, ctx.scopes.has('messages:read'))),
  }
}

type Artifact = Awaited<ReturnType<typeof listConsentArtifacts>>[number]

function consentOf(
  { id, source, phone, email, consent }: Artifact['lead'],
  salt: string | null,
  recorded: string | null | undefined,
): ContactEvidence['consents'] {
  if (consent === null) return []
  const isKnown = salt !== null && recorded !== null && recorded !== undefined
  const in_ledger = isKnown ? artifactDigest(id, consent, salt) === recorded : null
  return [{ lead_id: id, source, phone, email, ...consent, salt, in_ledger }]
}
