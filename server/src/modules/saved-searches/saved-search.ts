import { type Static, Type } from 'typebox'
import {
  type PatchOf,
  type RowOf,
  createOnly,
  createdBy,
  defaulted,
  freeText,
  internal,
  readOnly,
  reference,
  required,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable, oneLine } from '#kernel/schemas.ts'
import { Criteria, criteriaIssues } from './criteria.ts'

export const frequencies = ['daily', 'weekly'] as const

export const savedSearchFields = {
  contact_id: createOnly(required(reference('contact', 'The contact who gets the listing alerts.'))),
  name: required({
    ...freeText(120, 'The name. Emails show it in their subject.'),
    minLength: 1,
    pattern: oneLine,
  }),
  criteria: required(Criteria),
  frequency: defaulted(
    Type.Enum(frequencies, {
      description:
        'When Gable sends listing alerts: between 8:00 and 8:30 am in the time zone of the workspace, every day, or every week on the weekday on which the search was created. If there is no news, no alert is sent.',
    }),
    'daily',
  ),
  active: defaulted(
    Type.Boolean({
      description: 'If false, the search is paused. Alerts resume with the news of the meantime.',
    }),
    true,
  ),
  paused_reason: readOnly(
    nullable(
      Type.String({
        description:
          'Why the last listing alert could not be sent, which paused the search: a reason of the compliance gates, such as `opted_out`, or `email_missing`. Null if someone paused the search.',
      }),
    ),
    null,
  ),
  last_sent_at: readOnly(nullable(Timestamp), null),
  next_at: readOnly(
    nullable(
      Type.String({ ...Timestamp, description: 'When the next listing alert is due. Null while paused.' }),
    ),
    null,
  ),
  /** The next digest contains the news since this time. */
  unsent_since: internal(Type.String(), ''),
  created_by: createdBy(),
}

export const savedSearches = defineRecord('SavedSearch', {
  fields: savedSearchFields,
  example: {
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    name: 'Three bedrooms in Evanston',
    criteria: { cities: ['Evanston'], property_types: ['residential'], price_max: 550_000, bedrooms_min: 3 },
  },
  patchExample: { frequency: 'weekly' },
  shownExample: {
    next_at: '2026-11-21T14:12:00.000Z',
    created_by: { type: 'api_key', id: 'cmi8h1c4v0000j5k8x2b7n3d6' },
  },
  check: ({ criteria }) => criteriaIssues(criteria),
})
export type SavedSearch = RowOf<typeof savedSearchFields>
export type SavedSearchDraft = Static<typeof savedSearches.Draft>
export type SavedSearchPatch = PatchOf<typeof savedSearchFields>

/** The saved search for an API response. */
export const presentSavedSearch = ({ unsent_since: _, ...shown }: SavedSearch) => shown
