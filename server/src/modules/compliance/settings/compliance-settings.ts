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
    description: 'Countries whose numbers may be sent messages and called. The default is US alone.',
  }),
  postal_address: nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Shown in marketing email, which is not sent without it.',
    }),
  ),
  support_contact: nullable(
    Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: noLineBreak,
      description:
        'Where people get help: a phone number, an email address, or a website. The response to HELP names it, as the carriers require.',
    }),
  ),
  cold_sources: Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
    maxItems: 100,
    description:
      'Sources whose leads did not ask for anything, such as purchased lists. A lead from one is no inquiry, so it permits nothing by itself. Case and spaces do not matter.',
  }),
  emergency_states: Type.Array(Type.Enum(states), {
    maxItems: states.length,
    description:
      'US states and territories in which a state of emergency is declared. Marketing texts, WhatsApp messages and calls to people there are blocked, replies excepted. In New York, express consent or a recent inquiry or deal lifts this. Nothing ends an emergency but removing the state here.',
  }),
  retention_days: nullable(
    Type.Integer({
      minimum: 30,
      maximum: 3650,
      description:
        'After how many days the content of a message is erased: texts, subjects, templates, numbers and addresses, here and, where it has a call for it, at the provider. Ids, times, statuses and conversations stay. Null to keep it.',
    }),
  ),
  record_calls: Type.Boolean({
    description:
      "Whether calls are recorded. The people in it hear that first. Otherwise members' calls are not recorded, and recordings that the agent of a provider makes are not copied. The default is true.",
  }),
  recording_retention_days: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description:
        'After how many days the recording of a call is erased, here and at the provider. Transcripts and summaries stay. The default is 365. Null to keep it.',
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
  description: 'Fields that are left out keep their values. `null` clears a field.',
  examples: [example],
})
export type ComplianceSettingsPatch = Static<typeof ComplianceSettingsPatch>

const validate: (value: unknown) => void = bodyValidator(ComplianceSettingsPatch)

/** What was typed, as a patch. Throws `ValidationFailed` as the API does. */
export function validateSettings(typed: object): ComplianceSettingsPatch {
  validate(typed)
  return typed
}

/** Those of a workspace that never changed them. */
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

/** For rows, which may be older than a limit. */
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

/** A source as it is compared: however it is written, it is one source. */
const sourceKey = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '')

/** Each source once, as it was first written. */
export function distinctSources(names: readonly string[]): string[] {
  const keys = names.map(sourceKey)
  return names.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
}

/** Whether leads of a source did not ask for anything. */
export function coldSources({ cold_sources }: Pick<ComplianceSettings, 'cold_sources'>) {
  const cold = new Set(cold_sources.map(sourceKey))
  return (source: string | null): boolean => source !== null && cold.has(sourceKey(source))
}
