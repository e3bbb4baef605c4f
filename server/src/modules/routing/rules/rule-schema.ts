import { type Static, type TSchema, Type } from 'typebox'
import { conditionSchema } from '#kernel/conditions/condition-schema.ts'
import { timePattern } from '#kernel/conditions/hours.ts'
import { idPattern } from '#kernel/ids.ts'
import { zoneName } from '#kernel/records/fields.ts'
import { nullable, oneLine } from '#kernel/schemas.ts'
import { type Role, roles } from '../../workspaces/public.ts'
import { fieldsOfRules } from './rule-fields.ts'
import { type Condition, type Fallback, routingMethods, weekdays } from './rule.ts'

const Id = Type.String({ pattern: idPattern })
const Name = Type.String({
  minLength: 1,
  maxLength: 120,
  pattern: oneLine,
  description: 'The name that people see.',
})
const Time = Type.String({ pattern: timePattern, description: 'HH:MM.' })
const Timezone = zoneName('IANA name, such as `America/Chicago`.')

const closed = { additionalProperties: false }

const ConditionSchema = conditionSchema(fieldsOfRules, {
  title: 'RoutingCondition',
  description:
    'A test of the lead, or a group of which `all`, `any`, or `none` must hold. Groups nest up to 8 levels. Comparisons ignore case, accents, and leading or trailing spaces. A lead without a value passes `neq`, `not_in`, `has_none`, and `not_exists`, and fails every other test. A number in `context` can be a text such as `450000`, `450,000`, or `$450,000`.',
  field: "The field to test, or `context.` and a path for a value in the lead's context.",
})

const Conditions = Type.Unsafe<Condition>({
  $ref: '#/$defs/RoutingCondition',
  description: 'The leads that the rule matches. All leads by default.',
})

const Hours = {
  days: Type.Optional(
    Type.Array(Type.Enum(weekdays), { minItems: 1, maxItems: 7, description: 'Every day by default.' }),
  ),
  from: Time,
  to: Time,
}

const Schedule = Type.Object(
  {
    ...Hours,
    timezone: Type.Optional(Timezone),
    outside: Type.Optional(
      Type.Enum(['skip', 'hold'], {
        description:
          'Outside the hours, `skip` tries the next rule, and `hold` keeps the lead until the hours begin.',
      }),
    ),
  },
  {
    ...closed,
    description:
      'Local hours. If `to` is before `from`, it is on the next day; equal times mean a whole day.',
  },
)

const Pool = Type.Object(
  {
    members: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
    team_id: Type.Optional(nullable(Id)),
    office_id: Type.Optional(nullable(Id)),
    role: Type.Optional(
      Type.Unsafe<Role | null>({
        enum: [...roles, null],
        description: 'All members with this role.',
      }),
    ),
    everyone: Type.Optional(Type.Boolean()),
  },
  {
    ...closed,
    description:
      'The members that the rule can choose from. They include all members that match any of these fields. At least one field is required.',
  },
)

const cap = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 100_000, description }),
  )

const Caps = Type.Object(
  {
    open: cap('The most open leads.'),
    per_hour: cap('The most leads assigned within an hour.'),
    per_day: cap('The most leads assigned since midnight.'),
  },
  { ...closed, description: 'A member who has reached a cap gets no more leads.' },
)

const fallbackMethods = routingMethods.filter((method) => method !== 'direct' && method !== 'first_to_claim')

const Step = Type.Unsafe<Fallback>({
  type: 'object',
  properties: { method: { title: 'FallbackMethod', enum: fallbackMethods }, member_id: Id },
  minProperties: 1,
  maxProperties: 1,
  ...closed,
})

const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] })

const choice = {
  method: Type.Enum(routingMethods, {
    title: 'RoutingMethod',
    description: 'How the rule chooses among its pool.',
  }),
  pool: Pool,
  weights: Type.Optional(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      maxProperties: 1000,
      additionalProperties: { type: 'integer', minimum: 0, maximum: 1000 },
      description: 'Weights by member id, for `weighted`. The default is 1; 0 excludes a member.',
    }),
  ),
  caps: Type.Optional(orNull(Caps)),
  sticky: Type.Optional(
    Type.Object(
      { existing_owner: Type.Optional(Type.Boolean()) },
      { ...closed, description: '`existing_owner`: try the owner of the contact first.' },
    ),
  ),
  claim_seconds: Type.Optional(
    Type.Integer({
      minimum: 15,
      maximum: 86_400,
      description: 'How long an offer of `first_to_claim` lasts. The default is 300.',
    }),
  ),
  on_match: Type.Optional(
    Type.Object(
      { tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems: 10 })) },
      { ...closed, description: 'Tags to add to the contact.' },
    ),
  ),
  fallback: Type.Optional(
    Type.Array(Step, {
      maxItems: 3,
      description: 'Methods or members to try in order if no member is found or the offer is not claimed.',
    }),
  ),
}

const RuleDraft = Type.Object(
  {
    id: Type.Optional(Id),
    name: Name,
    enabled: Type.Optional(Type.Boolean()),
    priority: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: 'Rules with lower numbers are tried first, then older rules. The default is 100.',
      }),
    ),
    conditions: Type.Optional(Conditions),
    schedule: Type.Optional(orNull(Schedule)),
    ...choice,
  },
  { ...closed, title: 'RoutingRule' },
)
export type RuleDraft = Static<typeof RuleDraft>

const DefaultDraft = Type.Object(
  { id: Type.Optional(Type.Enum(['default'])), name: Type.Optional(Name), ...choice },
  {
    ...closed,
    description:
      'The rule for leads that no other rule matches. The default is round robin among all members.',
  },
)
export type DefaultDraft = Static<typeof DefaultDraft>

export const rulesExample = {
  timezone: 'America/Chicago',
  rules: [
    {
      name: 'Evanston condos above 600,000',
      conditions: {
        all: [
          { field: 'city', operator: 'eq', value: 'Evanston' },
          { field: 'price', operator: 'gte', value: 600_000 },
        ],
      },
      method: 'least_loaded',
      pool: { role: 'agent' },
      caps: { per_day: 5 },
      fallback: [{ method: 'pond' }],
    },
  ],
}

/** The rules of a workspace as a document. */
export const RulesDocument = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The version that this document is based on. The document is rejected if the rules have changed since.',
      }),
    ),
    timezone: Type.Optional(Timezone),
    default: Type.Optional(DefaultDraft),
    rules: Type.Array(RuleDraft, {
      maxItems: 1000,
      description: 'The first rule that matches decides. Existing rules are matched by id, then by name.',
    }),
  },
  {
    ...closed,
    title: 'RoutingRules',
    description: 'The routing rules of a workspace. A document replaces all rules at once.',
    $defs: { RoutingCondition: ConditionSchema },
    examples: [rulesExample],
  },
)
export type RulesDocument = Static<typeof RulesDocument>
