import { Compile } from 'typebox/compile'
import { type Fault, ValidationFailed } from '#kernel/errors.ts'
import { isId } from '#kernel/ids.ts'
import { Email } from '#kernel/schemas.ts'
import { toE164 } from '../contacts/public.ts'

/**
 * Why somebody may not be contacted. `opted_out` is about certain channels; the others hold for every channel of their
 * subject: they asked the brokerage not to be contacted at all (`internal_dnc`), are known to sue over calls
 * (`litigator`), the number has gone to somebody else (`reassigned_number`), the address does not exist (`hard_bounce`),
 * they reported a message as spam (`complaint`), or somebody decided so (`manual`).
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

const subjectTypes = ['phone', 'email', 'contact'] as const
export type SubjectType = (typeof subjectTypes)[number]

/** Whom it is about: a number in E.164, an address in lower case, or a contact's id. `subjectOf` makes one of what was typed. */
export interface Subject {
  type: SubjectType
  value: string
}

/** By which way a suppression came; whoever adds another way names it here. */
export type SuppressionSource = 'operator' | 'import' | 'erasure'

export interface SuppressionDraft {
  subject: Subject
  kind: SuppressionKind
  /** Of an opt-out alone: all that the subject has when left out. */
  channels?: readonly OptOutChannel[] | undefined
  source: SuppressionSource
}

const isEmail = Compile(Email)

const valueOf: { readonly [T in SubjectType]: (text: string) => string | undefined } = {
  phone: toE164,
  email: (text) => (isEmail.Check(text) ? text.toLowerCase() : undefined),
  contact: (text) => (isId(text) ? text : undefined),
}

const called = { phone: 'a phone number', email: 'an e-mail address', contact: 'the id of a contact' }

/** The subject in its one form, whatever way it was written; undefined for what cannot be one. */
export function findSubject(type: SubjectType, text: string): Subject | undefined {
  const value = valueOf[type](text.trim())
  return value === undefined ? undefined : { type, value }
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

/** The channels of the draft's opt-out, none for another kind; 400 for what does not go together. */
export function requireSound({
  subject: { type },
  kind,
  channels,
}: SuppressionDraft): readonly OptOutChannel[] {
  const faults: Fault[] = []
  const only = onlyOf[kind]
  if (only !== undefined && only !== type)
    faults.push({ path: 'kind', message: `can only be about ${called[only]}` })
  if (kind !== 'opted_out') {
    if (channels !== undefined) faults.push({ path: 'channels', message: 'are for an opt-out alone' })
  } else if (channels !== undefined) {
    const strange = channels.filter((one) => !channelsOf(type).includes(one))
    if (channels.length === 0) faults.push({ path: 'channels', message: 'must name one' })
    if (strange.length > 0)
      faults.push({ path: 'channels', message: `do not reach ${called[type]}: ${strange.join(', ')}` })
  }
  if (faults.length > 0) throw ValidationFailed(faults)
  return kind === 'opted_out' ? (channels ?? channelsOf(type)) : []
}

/** Whether it keeps the subject from being sent texts and called by machines. An opt-out from e-mail does not. */
export const stopsPhone = ({
  kind,
  channels,
}: {
  kind: SuppressionKind
  channels: readonly string[]
}): boolean => kind !== 'opted_out' || phoneChannels.some((one) => channels.includes(one))
