import { type Static, Type } from 'typebox'
import { extendRecord } from '#kernel/records/extend.ts'
import { type PatchOf, optional, reference, required } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Line } from './names.ts'

const fields = { name: required(Line), office_id: optional(reference('office', "The team's office.")) }

export const teamRecord = defineRecord('Team', {
  fields,
  example: { name: 'Listing team' },
  patchExample: { name: 'North Shore' },
})

export type TeamPatch = PatchOf<typeof fields>

export const Team = extendRecord(
  'Team',
  teamRecord,
  { member_ids: Type.Array(Type.String(), { description: 'IDs of the members, active or not.' }) },
  { id: 'cmi8hb7w40007m2n6c8v0b3x5', member_ids: ['cmi8h2k5p0000y7w2d5g8j1m4'] },
)
export type TeamRow = Static<typeof Team>
