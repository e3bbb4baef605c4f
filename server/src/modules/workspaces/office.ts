import { type PatchOf, type RowOf, required } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Line } from './names.ts'

const fields = { name: required(Line) }

export const officeRecord = defineRecord('Office', {
  fields,
  example: { name: 'Evanston' },
  patchExample: { name: 'Evanston North' },
})

export type OfficeRow = RowOf<typeof fields>
export type OfficePatch = PatchOf<typeof fields>
