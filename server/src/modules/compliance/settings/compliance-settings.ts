import { type Static, Type } from 'typebox'
import { bodyValidator } from '#kernel/http/validation.ts'
import { text } from '#kernel/records/fields.ts'
import { nullable } from '#kernel/schemas.ts'
import { usAreaCodes } from '../../contacts/public.ts'

/** The states and territories of the United States. */
const states = [...new Set(Object.values(usAreaCodes).map(({ state }) => state))].toSorted()

const noLineBreak = '^[^\\r\\n]*$'

const fields = {
  enabled_countries: Type.Array(Type.Enum(['US', 'CA']), {
    minItems: 1,
    maxItems: 2,
    description: 'Countries whose numbers can receive messages and calls. Only US by default.',
  }),
  postal_address: nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Shown in marketing emails, which require it.',
    }),
  ),
  support_contact: nullable(
    Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: noLineBreak,
      description:
        'Where people get help: a phone number, an email address, or a website. The response to HELP includes it, as carriers require.',
    }),
  ),
  cold_sources: Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
    maxItems: 100,
    description:
      'Sources whose leads did not make an inquiry, such as purchased lists. A lead from one of these sources does not permit contact. Case and spaces do not matter.',
  }),
  emergency_states: Type.Array(Type.Enum(states, { title: 'UsState' }), {
    maxItems: states.length,
    description:
      'US states and territories with a declared state of emergency. Gable blocks marketing texts, WhatsApp messages, and calls to people there, except replies. In New York, express consent or a recent inquiry or deal lifts the block. To end an emergency, remove the state here.',
  }),
  retention_days: nullable(
    Type.Integer({
      minimum: 30,
      maximum: 3650,
      description:
        'The number of days after which Gable erases the content of a message: texts, subjects, templates, numbers, and addresses. If the provider has an API for it, Gable also erases the content there. IDs, times, statuses, and conversations stay. Null to keep the content.',
    }),
  ),
  record_calls: Type.Boolean({
    description:
      "Whether Gable records calls. People on the call hear that first. If false, members' calls are not recorded, and Gable does not copy recordings that a provider's agent makes. True by default.",
  }),
  recording_retention_days: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description:
        'The number of days after which Gable erases the recording of a call, here and at the provider. Transcripts and summaries stay. 365 by default. Null to keep recordings.',
    }),
  ),
}

const example = {
  enabled_countries: ['US'],
  postal_address: 'Lakeside Realty, 48 Alder Court, Evanston, IL 60201',
  support_contact: '+13125550100',
  cold_sources: ['Purchased list'],
  emergency_states: ['LA'],
  retention_days: 1825,
  record_calls: true,
  recording_retention_days: 365,
}

export const ComplianceSettings = Type.Object(fields, { title: 'ComplianceSettings', examples: [example] })
export type ComplianceSettings = Static<typeof ComplianceSettings>

export const ComplianceSettingsPatch = Type.Partial(Type.Object(fields), {
  title: 'ComplianceSettingsPatch',
  additionalProperties: false,
  description: 'Fields that you omit keep their values. `null` clears a field.',
  examples: [example],
})
export type ComplianceSettingsPatch = Static<typeof ComplianceSettingsPatch>

const validate: (value: unknown) => void = bodyValidator(ComplianceSettingsPatch)

/** Validates user input as a patch. Throws `ValidationFailed` like the API. */
export function validateSettings(typed: object): ComplianceSettingsPatch {
  validate(typed)
  return typed
}

/** The settings of a workspace that never changed them. */
export const defaultSettings: ComplianceSettings = {
  enabled_countries: ['US'],
  postal_address: null,
  support_contact: null,
  cold_sources: [],
  emergency_states: [],
  retention_days: null,
  record_calls: true,
  recording_retention_days: 365,
}

/** Has no limits on values, because a row may be older than a limit. */
export const SettingsRow = Type.Object({
  enabled_countries: Type.Array(Type.Enum(['US', 'CA'])),
  postal_address: nullable(text(500)),
  support_contact: nullable(text(60)),
  cold_sources: Type.Array(Type.String()),
  emergency_states: Type.Array(Type.String()),
  retention_days: nullable(Type.Integer()),
  record_calls: Type.Boolean(),
  recording_retention_days: nullable(Type.Integer()),
})

/** The key by which sources are compared. Ignores case, spaces, and compatible forms of characters (NFKC). */
const sourceKey = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '')

/** Removes repeated sources. Keeps the first spelling of each. */
export function distinctSources(names: readonly string[]): string[] {
  const keys = names.map(sourceKey)
  return names.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
}

/** Returns a function: whether a source is cold, so that its leads did not make an inquiry. */
export function coldSources({ cold_sources }: Pick<ComplianceSettings, 'cold_sources'>) {
  const cold = new Set(cold_sources.map(sourceKey))
  return (source: string | null): boolean => source !== null && cold.has(sourceKey(source))
}
