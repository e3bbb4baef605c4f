import { createHash, randomBytes } from 'node:crypto'

/** What the sender of a lead agreed to, when, and where. Stored as received. */
export interface Consent {
  /** As received, unparsed. */
  captured_at: unknown
  source_url: string | null
  ip: string | null
  form_snapshot: Record<string, unknown> | null
  form_sha256: string | null
  received_at: string
  revoked_at: string | null
}

/** Why the AI may not contact a lead on its own. */
export const blockers = [
  'consent_missing',
  'captured_at_missing',
  'captured_at_invalid',
  'captured_at_in_future',
  'evidence_missing',
  'consent_revoked',
  'opted_out',
  'suppressed',
  'suppressions_unreadable',
  'contact_erased',
] as const
export type Blocker = (typeof blockers)[number]

/** How far the capturing system's clock may run ahead of Gable's. */
const toleranceMs = 5 * 60_000

/**
 * Returns why a consent is not sufficient; empty if it is. A sufficient consent has a capture time that is not in the future, has a
 * source URL or the form's content, and has not been revoked. Quiet hours are checked elsewhere.
 */
export function consentBlockers(consent: Consent | null, now: Date): Blocker[] {
  if (consent === null) return ['consent_missing']
  const { captured_at, source_url, form_snapshot, revoked_at } = consent
  const faults: Blocker[] = []
  const at = capturedAt(captured_at)
  if (captured_at === undefined || captured_at === null) faults.push('captured_at_missing')
  else if (at === undefined) faults.push('captured_at_invalid')
  else if (at > now.getTime() + toleranceMs) faults.push('captured_at_in_future')
  const hasForm = form_snapshot !== null && Object.keys(form_snapshot).length > 0
  if (source_url === null && !hasForm) faults.push('evidence_missing')
  if (revoked_at !== null) faults.push('consent_revoked')
  return faults
}

/** Returns the consent, marked as revoked at this time if it was given by then. `at` is null if the person never revoked. */
export function revokedBy(consent: Consent, at: string | null): Consent {
  if (consent.revoked_at !== null || at === null) return consent
  return Date.parse(at) < givenAt(consent) ? consent : { ...consent, revoked_at: at }
}

/** When the consent was given, in epoch milliseconds: its `captured_at` if readable, but no later than `received_at`. */
export function givenAt({ captured_at, received_at }: Pick<Consent, 'captured_at' | 'received_at'>): number {
  const received = Date.parse(received_at)
  return Math.min(capturedAt(captured_at) ?? received, received)
}

/** `none` without a consent; otherwise, whether it is sufficient. */
export const consentStatus = (consent: Consent | null, now: Date) => {
  if (consent === null) return 'none'
  return consentBlockers(consent, now).length === 0 ? 'sufficient' : 'insufficient'
}

const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/i

/**
 * When the person agreed, in epoch milliseconds: only an ISO 8601 time with its zone says so. A time without one may be
 * up to a day off, and a number may count from any time in any unit.
 */
function capturedAt(value: unknown): number | undefined {
  if (typeof value !== 'string' || !iso.test(value.trim())) return undefined
  try {
    return Temporal.Instant.from(value.trim()).epochMilliseconds
  } catch {
    return undefined
  }
}

/** A new salt for one consent artifact. An erasure deletes it. */
export const newSalt = (): string => randomBytes(16).toString('base64url')

/**
 * What the digest of a consent artifact covers: a JSON array of the salt, the lead's id, and the artifact, with the hash of its form
 * instead of the form. The salt prevents a brute-force search for guessable content, such as a form with a phone number.
 */
const artifactText = (leadId: string, consent: Consent, salt: string): string =>
  JSON.stringify([
    salt,
    leadId,
    consent.captured_at,
    consent.source_url,
    consent.ip,
    consent.form_sha256,
    consent.received_at,
  ])

/** SHA-256 of `artifactText`, in hexadecimal. The consent ledger keeps it even after an erasure. */
export const artifactDigest = (leadId: string, consent: Consent, salt: string): string =>
  createHash('sha256')
    .update(artifactText(leadId, consent, salt))
    .digest('hex')
