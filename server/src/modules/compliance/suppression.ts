import { Type } from 'typebox'
import { type Issue, ValidationFailed } from '#kernel/errors.ts'
import { isId } from '#kernel/ids.ts'
import { type Point, toE164, toEmailAddress } from '../contacts/public.ts'
import { stoppedBy } from './stopped-channels.ts'

/**
 * Why a person may not be contacted. `opted_out` names its channels; `stoppedBy` defines what the other kinds stop. `internal_dnc`:
 * the person asked the brokerage not to contact them at all. `litigator`: they are known to sue over calls. `reassigned_number`: the
 * number now belongs to another person. `hard_bounce`: the address does not exist. `complaint`: they reported a message as spam.
 * `manual`: a person decided it.
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

/** `voice_auto`: calls by a machine or the AI. `internal_dnc` stops calls by people, too. */
export const optOutChannels = ['sms', 'whatsapp', 'voice_auto', 'email'] as const
export type OptOutChannel = (typeof optOutChannels)[number]

const phoneChannels: readonly OptOutChannel[] = ['sms', 'whatsapp', 'voice_auto']

export const subjectTypes = ['phone', 'email', 'contact'] as const
export type SubjectType = (typeof subjectTypes)[number]

/** Whom a suppression is about. `subjectOf` parses user input. */
export type Subject = Point | { type: 'contact'; value: string }

/**
 * How a suppression was recorded: by a request (`api`), an operator, or an import; from a message by the person (`inbound`), an
 * email that someone else may have written in their name (`unverified_email`), or a report by a carrier; copied from an erased contact
 * (`erasure`), or to a number or an address that its contact no longer has (`former`); or by a revocation of consent.
 */
export type SuppressionSource =
  | 'api'
  | 'operator'
  | 'import'
  | 'inbound'
  | 'unverified_email'
  | 'carrier'
  | 'erasure'
  | 'former'
  | 'revocation'

export interface SuppressionDraft {
  subject: Subject
  kind: SuppressionKind
  /** For an opt-out only. Default: all channels that the subject has. */
  channels?: readonly OptOutChannel[] | undefined
  source: SuppressionSource
  /** When it takes effect. Default: now. */
  since?: Date | undefined
}

const valueOf: { readonly [T in SubjectType]: (text: string) => string | undefined } = {
  phone: toE164,
  email: toEmailAddress,
  contact: (text) => (isId(text) ? text : undefined),
}

const called = { phone: 'a phone number', email: 'an email address', contact: 'the id of a contact' }

/** A suppression to record. For every kind, `channels` lists what it stops. */
export interface SuppressionEntry {
  subject: Subject
  kind: SuppressionKind | 'consent_revoked'
  channels: readonly OptOutChannel[]
  source: SuppressionSource
  /** The contact that has the number or the address, if exactly one has it. */
  contactId?: string | null
  /** When it takes effect. */
  created_at: string
}

export const Phone = Type.String({
  minLength: 5,
  maxLength: 32,
  description: 'A number without a country code is read as a US number.',
})

/** Parses a subject into its canonical form; undefined if invalid. */
function findSubject(type: SubjectType, text: string): Subject | undefined {
  const value = valueOf[type](text.trim())
  return value === undefined ? undefined : ({ type, value } as Subject)
}

/** Parses a subject into its canonical form. Throws 400 if it is invalid. */
export function subjectOf(type: SubjectType, text: string): Subject {
  const subject = findSubject(type, text)
  if (subject !== undefined) return subject
  throw ValidationFailed([{ path: type, message: `is not ${called[type]}` }])
}

/** All channels on which the subject can be reached. */
export const channelsOf = (type: SubjectType): readonly OptOutChannel[] =>
  ({ phone: phoneChannels, email: ['email' as const], contact: optOutChannels })[type]

/** Kinds that are about the number or the address itself, not about the person. */
const onlyOf: { readonly [K in SuppressionKind]?: SubjectType } = {
  reassigned_number: 'phone',
  hard_bounce: 'email',
}

/** Whether the kind is about the number or the address itself, not about the person who has it. */
export const isAboutPoint = (kind: SuppressionEntry['kind']): boolean =>
  kind !== 'consent_revoked' && onlyOf[kind] !== undefined

/** The channels of a subject that a kind stops; empty if it stops none of them. */
function stoppedChannels(kind: SuppressionKind, type: SubjectType): readonly OptOutChannel[] {
  const reached = channelsOf(type)
  const stopped = kind === 'opted_out' ? 'all' : stoppedBy[kind]
  return stopped === 'all' ? reached : reached.filter((one) => (one === 'email') === (stopped === 'email'))
}

/**
 * Returns the channels that the draft stops: an opt-out's own channels, or those that `stoppedBy` defines for its kind. Throws 400 for
 * an invalid combination, such as a kind that would stop nothing for the subject.
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
