import { toE164 } from './phone.ts'

/** Stages a contact can be in; any may follow any. */
export const stages = [
  'LEAD',
  'HOT_LEAD',
  'NURTURE',
  'ACTIVE_CLIENT',
  'PAST_CLIENT',
  'SPHERE',
  'TRASH',
] as const
export type Stage = (typeof stages)[number]

/** What a caller may write. */
export interface ContactFields {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  stage: Stage
  source: string | null
  tags: string[]
  notes: string | null
  owner_id: string | null
  ai_auto_response: 'active' | 'paused'
}

export interface Contact extends ContactFields {
  id: string
  created_at: string
  updated_at: string
  erased_at: string | null
}

export const blankContact: ContactFields = {
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  stage: 'LEAD',
  source: null,
  tags: [],
  notes: null,
  owner_id: null,
  ai_auto_response: 'active',
}

/** What an erasure leaves: a stage and an owner for the statistics, nobody to recognise. */
export const erasedFields = {
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  source: null,
  tags: [],
  notes: null,
} as const satisfies Partial<ContactFields>

/** Each tag once, in the order of first mention. */
export const distinctTags = (tags: readonly string[]) => [...new Set(tags)]

/** Folds case and accents, so that `jose` finds José. */
export const fold = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/**
 * What `q` is looked for in, a space before each word: names for everyone; e-mail and phone, as written and as digits,
 * for who may see them.
 */
export const searchTexts = ({
  first_name,
  last_name,
  email,
  phone,
}: Pick<ContactFields, 'first_name' | 'last_name' | 'email' | 'phone'>) => {
  const joined = (...parts: (string | null)[]) =>
    parts.flatMap((part) => (part === null || part === '' ? [] : ` ${fold(part)}`)).join('')
  return {
    names: joined(first_name, last_name),
    details: joined(email, phone, phone?.replaceAll(/\D/g, '') ?? null),
  }
}

/** What a contact is recognised by: its number in E.164, its address in lower case. Null for what is no number or absent. */
export const identityOf = ({ phone, email }: Pick<ContactFields, 'phone' | 'email'>) => ({
  phone: (phone === null ? undefined : toE164(phone)) ?? null,
  email: email?.toLowerCase() ?? null,
})

const maxTerms = 8

/** The words of a `q`, each of which must be found. Words beyond the eighth are passed over. */
export const searchTerms = (q: string) =>
  fold(q)
    .split(/\s+/)
    .filter((term) => term !== '')
    .slice(0, maxTerms)
