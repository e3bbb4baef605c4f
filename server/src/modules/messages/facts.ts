import type { Db } from '#kernel/db/handles.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import {
  type Send,
  type SendFacts,
  type SuppressionRow,
  coldSources,
  findPersons,
  findComplianceSettings,
  heldOn,
  recipientOf,
} from '../compliance/public.ts'
import { type Contact, type E164, type Point, listContactsById } from '../contacts/public.ts'
import { type LeadInquiry, listInquiries } from '../leads/public.ts'
import { listStopped } from '../personas/public.ts'
import { listLastInbound } from './conversations/conversation-queries.ts'
import { listConfirmations, listMarketingCounts } from './queries.ts'

/** A message or call whose facts are sought. */
export interface AddressedSend {
  channel: Send['channel']
  to: Point
  contactId: string | null
  /** The call that is being judged. It does not count as one that began. */
  callId?: string | null
  /** The persona that wrote it, if the AI did. */
  personaId?: string | null
}

/** What is known about a send, except for its sender; and the contacts behind its recipient, the named one first. */
export interface KnownOfSend {
  facts: Omit<SendFacts, 'sender'>
  contacts: readonly Contact[]
}

const dayMs = 24 * 60 * 60_000

/**
 * Finds what is known about these sends, in the same order. Needs few queries, however many sends there are. Facts
 * belong to a number or address: a consent or inquiry counts only for the number or address that it came with, while an
 * opt-out or a pause of the AI counts for everyone who has it.
 */
export async function findSendFacts(
  { db, keys }: { db: Db; keys: KeyRing },
  sends: readonly AddressedSend[],
  now: Date,
): Promise<KnownOfSend[]> {
  const recipients = sends.map(({ to, contactId }) => ({ points: [to], contactId }))
  const values = [...new Set(sends.map(({ to }) => to.value))]
  const personaIds = sends.flatMap(({ personaId }) => personaId ?? [])
  const callIds = sends.flatMap(({ callId }) => callId ?? [])
  const [persons, inbound, marketing, settings, stopped] = await Promise.all([
    findPersons({ db, keys }, recipients),
    listLastInbound(db, values),
    listMarketingCounts(db, values, new Date(now.getTime() - dayMs), callIds),
    findComplianceSettings(db),
    listStopped(db, personaIds),
  ])
  const [heldAgainst, contacts, inquiries] = await Promise.all([
    persons.findHeld(),
    listContactsById(db, persons.contactIds),
    listInquiries(db, persons.contactIds, now),
  ])
  const held = recipients.map(heldAgainst)
  const optedOut = sends.filter((_, index) => optOutOf(held[index] ?? []) !== undefined)
  const confirmations =
    optedOut.length === 0
      ? new Map<string, string>()
      : await listConfirmations(
          db,
          optedOut.map(({ to }) => to.value),
        )
  const isCold = coldSources(settings)
  const contactOf = new Map(contacts.map((contact) => [contact.id, contact]))
  return sends.map((send, index): KnownOfSend => {
    const rows = held[index] ?? []
    const own = persons
      .contactIdsOf({ points: [send.to], contactId: send.contactId })
      .flatMap((id) => contactOf.get(id) ?? [])
    const linked = send.contactId === null ? undefined : contactOf.get(send.contactId)
    const facts = {
      recipient: recipientOf(
        linked ?? own[0] ?? nowhere,
        send.to.type === 'phone' ? (send.to.value as E164) : null,
      ),
      contact: {
        erased: linked !== undefined && linked.erased_at !== null,
        aiPaused:
          own.some(({ ai_auto_response }) => ai_auto_response === 'paused') ||
          stopped.includes(send.personaId ?? ''),
        ...heldOn(rows, send.channel),
        ...consentFacts(inquiriesWith(inquiries, send.to), rows, isCold),
        dnc: { national: undefined, state: undefined },
        lastInbound: inbound(send.to.value),
        marketingSends24h: marketing(send.to.value),
        optOut: optOutOf(rows, confirmations.get(send.to.value)),
      },
      workspace: {
        enabledCountries: settings.enabled_countries,
        emergencyStates: settings.emergency_states,
        hasPostalAddress: settings.postal_address !== null,
      },
    }
    return { facts, contacts: own }
  })
}

const nowhere: Pick<Contact, 'address' | 'timezone'> = { address: null, timezone: null }

const inquiriesWith = (inquiries: readonly LeadInquiry[], { type, value }: Point) =>
  inquiries.filter(({ phone, email }) => (type === 'phone' ? phone : email?.toLowerCase()) === value)

/** The latest opt-out, and whether it has been confirmed. */
function optOutOf(rows: readonly SuppressionRow[], confirmedAt = ''): SendFacts['contact']['optOut'] {
  const times = rows.flatMap(({ kind, created_at }) => (kind === 'opted_out' ? [created_at] : []))
  const at = times.toSorted().at(-1)
  return at === undefined ? undefined : { at: Date.parse(at), confirmed: confirmedAt >= at }
}

/** A sufficient artifact proves express written consent. */
const levels = { sufficient: 'express_written', partial: 'partial' } as const

/**
 * The best consent that has not been revoked since, and the last inquiry that was not from a cold source. `revoked`
 * stays true until the person gives a sufficient consent later.
 */
function consentFacts(
  inquiries: readonly LeadInquiry[],
  rows: readonly SuppressionRow[],
  isCold: (source: string | null) => boolean,
): Pick<SendFacts['contact'], 'consent' | 'inquiryAt'> {
  const revokedAt = Math.max(
    ...rows.flatMap(({ kind, created_at }) => (kind === 'consent_revoked' ? [Date.parse(created_at)] : [])),
    Number.NEGATIVE_INFINITY,
  )
  const given = inquiries.flatMap(({ consent }) => consent ?? [])
  const standing = given.filter(({ givenAt, revoked }) => !revoked && givenAt > revokedAt)
  const wasRevoked = revokedAt > Number.NEGATIVE_INFINITY || given.some(({ revoked }) => revoked)
  const best = standing.find(({ level }) => level === 'sufficient') ?? standing[0]
  const asked = inquiries.filter(({ source }) => !isCold(source))
  return {
    consent: {
      level: best === undefined ? 'none' : levels[best.level],
      revoked: wasRevoked && best?.level !== 'sufficient',
    },
    inquiryAt: asked.length === 0 ? undefined : Math.max(...asked.map(({ receivedAt }) => receivedAt)),
  }
}
