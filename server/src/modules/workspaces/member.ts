import { Type } from 'typebox'
import { ValidationFailed } from '#kernel/errors.ts'
import { equals, filters, oneOf } from '#kernel/http/filters.ts'
import {
  type DraftOf,
  type PatchOf,
  type RowOf,
  createOnly,
  defaulted,
  optional,
  patchOnly,
  reference,
  required,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Email } from '#kernel/schemas.ts'
import { Line } from './names.ts'
import { roles } from './roles.ts'

const RoleSchema = Type.Enum(roles, { description: 'What the member may do, and whose records they see.' })

/** E.164 format. */
const phone = '^\\+[1-9]\\d{6,14}$'

const fields = {
  name: required(Line),
  email: createOnly(required(Email)),
  phone: optional(
    Type.String({
      pattern: phone,
      description: 'A phone number in E.164 format. Gable calls it when they place a call.',
    }),
  ),
  role: required(
    Type.Enum(roles, { title: 'Role', description: 'What the member may do, and whose records they see.' }),
  ),
  team_lead: defaulted(
    Type.Boolean({ description: 'Whether an agent also sees the records of the members of their teams.' }),
    false,
  ),
  active: patchOnly(
    Type.Boolean({
      description:
        'An inactive member has no access and gets no leads. Gable keeps their records, and you can activate them again.',
    }),
    true,
  ),
  office_id: optional(reference('office', "The member's office.")),
}

export const memberRecord = defineRecord('Member', {
  fields,
  example: { name: 'Ada Reyes', email: 'ada@lakeside.example', role: 'agent' },
  patchExample: { role: 'isa' },
})

/** Throws ValidationFailed unless the phone number is in E.164 format or missing. */
export function requirePhone(value: string | null | undefined): void {
  if (typeof value === 'string' && !new RegExp(phone).test(value))
    throw ValidationFailed([
      { path: 'phone', message: 'must be a phone number in E.164, such as +13125550177' },
    ])
}

export type MemberRow = RowOf<typeof fields>
export type MemberDraft = DraftOf<typeof fields>
export type MemberPatch = PatchOf<typeof fields>

export const memberFilters = filters({
  role: oneOf(RoleSchema),
  active: equals(Type.Boolean()),
  office_id: equals(reference('office', 'Return only members of this office.')),
})
