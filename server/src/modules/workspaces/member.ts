import { type Static, type TSchema, Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { equals, filters, oneOf } from '#kernel/http/filters.ts'
import { extendRecord } from '#kernel/records/extend.ts'
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
import { Email, nullable } from '#kernel/schemas.ts'
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

/** Hides a value from colleagues; see `seesWhole`. */
export const toManagers = <T extends TSchema>(schema: T) => {
  const { description = '' } = schema as { description?: string }
  const condition = 'Null unless the credential has `settings:manage` or acts for this member.'
  return nullable({ ...schema, description: `${description} ${condition}`.trim() })
}

export const Member = extendRecord(
  'Member',
  memberRecord,
  {
    email: toManagers(Type.String()),
    phone: toManagers(Type.String({ description: 'E.164 format. Gable calls it when they place a call.' })),
    team_ids: Type.Array(Type.String(), { description: 'IDs of their teams.' }),
  },
  { email: 'ada@lakeside.example', phone: '+13125550177', team_ids: ['cmi8hb7w40007m2n6c8v0b3x5'] },
)

/** Whether the caller sees how to reach a member, and when they work: managers of the workspace, and the member. */
export const seesWhole = ({ scopes, memberId }: Pick<Ctx, 'scopes' | 'memberId'>, id: string): boolean =>
  scopes.has('settings:manage') || memberId === id

/** The member as the caller may see them. */
export const shownMember = (row: Static<typeof Member>, ctx: Ctx): Static<typeof Member> =>
  seesWhole(ctx, row.id) ? row : { ...row, email: null, phone: null }

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
