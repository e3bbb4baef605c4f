import { type Static, Type } from 'typebox'
import { Currency } from '#kernel/money.ts'
import {
  type PatchOf,
  type RowOf,
  createOnly,
  defaulted,
  required,
  zoneName,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { timezoneIssues } from '#kernel/timezones.ts'
import { Line } from './names.ts'

const fields = {
  name: required(Line),
  timezone: defaulted(
    zoneName('IANA name, such as `America/Chicago`. Calendars and messages at a time of day use it.'),
    'America/New_York',
  ),
  currency: defaulted(Currency, 'USD'),
  test_mode: createOnly(
    defaulted(
      Type.Boolean({
        description:
          'Whether the workspace is for tests: it uses the simulated carrier only, and `POST /test-clock` moves its time forward.',
      }),
      false,
    ),
  ),
}

export const workspaceRecord = defineRecord('Workspace', {
  fields,
  example: { name: 'Lakeside Realty Group', timezone: 'America/Chicago' },
  patchExample: { timezone: 'America/Denver' },
  check: ({ timezone }) => timezoneIssues(timezone, 'timezone'),
})

export type WorkspaceRow = RowOf<typeof fields>
export type WorkspaceDraft = Static<typeof workspaceRecord.Draft>
export type WorkspacePatch = PatchOf<typeof fields>
