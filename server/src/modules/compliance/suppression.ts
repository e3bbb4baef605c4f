import { type Issue, ValidationFailed } from '#kernel/errors.ts'
import { isId } from '#kernel/ids.ts'
import { type Point, toE164, toEmailAddress } from '../contacts/public.ts'
import { stoppedBy } from './judge/stopped-channels.ts'

/**
 * Why a person may not be contacted. `opted_out` is about certain channels. Of the others, the judge says which channels each
 * stops: they asked the brokerage not to be contacted at all (`internal_dnc`), are known to sue over calls
 * (`litigator`), the number now belongs to another person (`reassigned_number`), the address does not exist (`hard_bounce`),
 * they reported a message as spam (`complaint`), or a person decided so (`manual`).
 */
export const suppressionKinds = [
  'opted_out',
  'internal_dnc',
  'litigator',
  'reassigned_number',
  'hard_bounce',
  'complaint',
  'manual',
] as const
export type SuppressionKind = (typeof suppressionKinds)[number]

/** `voice_auto`: calls by a machine or the AI. Who is not to be called by people either has `internal_dnc`. */
export const optOutChannels = ['sms', 'whatsapp', 'voice_auto', 'email'] as const
export type OptOutChannel = (typeof optOutChannels)[number]

const phoneChannels: readonly OptOutChannel[] = ['sms', 'whatsapp', 'voice_auto']

export const subjectTypes = ['phone', 'email', 'contact'] as const
export type SubjectType = (typeof subjectTypes)[number]

/** Whom it is about. `subjectOf` makes one of what was typed. */
export type Subject = Point | { type: 'contact'; value: string }

/**
 * How a suppression was recorded: by a request, an operator or an import; by what the person wrote (`inbound`) or a carrier
 * reported; carried over from a
 * contact that was erased, or to a number or an address that its contact no longer has (`former`); or when a person took back
 * their consent.
 */
export type SuppressionSource =
  | 'api'
  | 'operator'
  | 'import'
  | 'inbound'
  | 'carrier'
  | 'erasure'
  | 'former'
  | 'revocation'

export interface SuppressionDraft {
  subject: Subject
  kind: SuppressionKind
  /** For an opt-out only; by default all that the subject has. */
  channels?: readonly OptOutChannel[] | undefined
  source: SuppressionSource
  /** From when on it holds; now by default. */
  since?: Date | undefined
}

const valueOf: { readonly [T in SubjectType]: (text: string) => string | undefined } = {
  phone: toE164,
  email: toEmailAddress,
  contact: (text) => (isId(text) ? text : undefined),
}

const called = { phone: 'a phone number', email: 'an email address', contact: 'the id of a contact' }

/** What is recorded: every kind names the channels that it stops, as the judge applies it. */
export interface SuppressionEntry {
  subject: Subject
  kind: SuppressionKind | 'consent_revoked'
  channels: readonly OptOutChannel[]
  source: SuppressionSource
  /** The contact that has the number or the address, where it is one. */
  contactId?: string | null
  /** From when on it holds. */
  created_at: string
}

/** The subject in its one form, whatever way it was written; undefined for what cannot be one. */
function findSubject(type: SubjectType, text: string): Subject | undefined {
  const value = valueOf[type](text.trim())
  return value === undefined ? undefined : ({ type, value } as Subject)
}

/** The same, and 400 for what cannot be one. */
export function subjectOf(type: SubjectType, text: string): Subject {
  const subject = findSubject(type, text)
  if (subject !== undefined) return subject
  throw ValidationFailed([{ path: type, message: `is not ${called[type]}` }])
}

/** All channels on which the subject can be reached. */
export const channelsOf = (type: SubjectType): readonly OptOutChannel[] =>
  ({ phone: phoneChannels, email: ['email' as const], contact: optOutChannels })[type]

/** Kinds that speak of the number or the address itself, and not of the person. */
const onlyOf: { readonly [K in SuppressionKind]?: SubjectType } = {
  reassigned_number: 'phone',
  hard_bounce: 'email',
}

/** Whether the kind is about the number or the address itself and not about the person who has it. */
export const isAboutPoint = (kind: SuppressionEntry['kind']): boolean =>
  kind !== 'consent_revoked' && onlyOf[kind] !== undefined

/** The channels that a kind stops of a subject. None where it stops nothing that reaches the subject. */
function stoppedChannels(kind: SuppressionKind, type: SubjectType): readonly OptOutChannel[] {
  const reached = channelsOf(type)
  const stopped = kind === 'opted_out' ? 'all' : stoppedBy[kind]
  return stopped === 'all' ? reached : reached.filter((one) => (one === 'email') === (stopped === 'email'))
}

/**
 * The channels that the draft stops: those of an opt-out, else those that the judge stops for its kind. 400 for what does not go
 * together, such as a kind that would stop nothing.
 */
export function requireSound({
  subject: { type },
  kind,
  channels,
}: SuppressionDraft): readonly OptOutChannel[] {
  const faults: Issue[] = []
  const only = onlyOf[kind]
  const stopped = stoppedChannels(kind, type)
  if (only !== undefined && only !== type)
    faults.push({ path: 'kind', message: `can only be about ${called[only]}` })
  else if (stopped.length === 0)
    faults.push({
      path: 'kind',
      message: `can only be about ${called[type === 'phone' ? 'email' : 'phone']} or a contact`,
    })
  if (kind !== 'opted_out') {
    if (channels !== undefined) faults.push({ path: 'channels', message: 'are allowed only for an opt-out' })
  } else if (channels !== undefined) {
    const strange = channels.filter((one) => !stopped.includes(one))
    if (channels.length === 0) faults.push({ path: 'channels', message: 'must name at least one' })
    if (strange.length > 0)
      faults.push({ path: 'channels', message: `do not reach ${called[type]}: ${strange.join(', ')}` })
  }
  if (faults.length > 0) throw ValidationFailed(faults)
  return channels ?? stopped
}
