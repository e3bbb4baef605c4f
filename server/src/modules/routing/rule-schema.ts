import { type Static, type TSchema, Type } from 'typebox'
import { idPattern } from '#kernel/ids.ts'
import { nullable } from '#kernel/schemas.ts'
import { type Condition, type Fallback, fields, methods, operators, weekdays } from './rule.ts'

export const timePattern = '^([01][0-9]|2[0-3]):[0-5][0-9]$'

const Id = Type.String({ pattern: idPattern })
const Name = Type.String({ minLength: 1, maxLength: 120, description: 'For people.' })
const Time = Type.String({ pattern: timePattern, description: 'HH:MM.' })
const Timezone = Type.String({ maxLength: 64, description: 'IANA name, such as `America/Chicago`.' })

const closed = { additionalProperties: false }

const group = (name: 'all' | 'any' | 'none', minItems: number): TSchema => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'array', minItems, maxItems: 100, items: { $ref: '#/$defs/Condition' } } },
  ...closed,
})

/** What `condition-faults.ts` checks more closely: which operator suits which field, and which value which operator. */
const ConditionSchema = {
  title: 'Condition',
  description:
    'A test of the lead, or a group of which `all`, `any` or `none` must hold; groups are nested 8 deep at most. Texts are compared without regard to case, accents and outer blanks. A lead that says nothing passes `neq`, `not_in`, `has_none` and `not_exists`, and no other test. A number in `context` may be a text such as `450000`, `450,000` or `$450,000`.',
  anyOf: [
    {
      type: 'object',
      required: ['field', 'operator'],
      properties: {
        field: {
          anyOf: [{ enum: fields }, { type: 'string', pattern: '^context\\.', maxLength: 200 }],
          description: 'What to look at; `context.` and a path for what the context of the lead holds.',
        },
        operator: { enum: operators },
        value: {
          description:
            'None for `exists` and `not_exists`; two for `between` and `time_between`; a list for `in`, `not_in` and `has_…`.',
        },
      },
      ...closed,
    },
    group('all', 0),
    group('any', 1),
    group('none', 1),
  ],
}

const Conditions = Type.Unsafe<Condition>({
  $ref: '#/$defs/Condition',
  description: 'Which leads; all, where there are none.',
})

const Hours = {
  days: Type.Optional(
    Type.Array(Type.Enum(weekdays), { minItems: 1, maxItems: 7, description: 'All, where none are named.' }),
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
        description: 'At other hours the rule is passed over (`skip`), or keeps the lead until they begin.',
      }),
    ),
  },
  {
    ...closed,
    description: 'Local hours; `to` before `from` is on the next day, and equal ones a whole day.',
  },
)

const Pool = Type.Object(
  {
    members: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
    team_id: Type.Optional(nullable(Id)),
    office_id: Type.Optional(nullable(Id)),
    role: Type.Optional(
      Type.Unsafe<'owner' | 'admin' | 'agent' | null>({
        enum: ['owner', 'admin', 'agent', null],
        description: 'Everybody with it.',
      }),
    ),
    everyone: Type.Optional(Type.Boolean()),
  },
  { ...closed, description: 'Who may be chosen: everybody whom any of these names; at least one does.' },
)

const cap = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 100_000, description }),
  )

const Caps = Type.Object(
  {
    open: cap('Open leads.'),
    per_hour: cap('Leads assigned within the last hour.'),
    per_day: cap('Leads assigned since midnight.'),
  },
  { ...closed, description: 'Who has so many gets no more.' },
)

const fallbackMethods = methods.filter((method) => method !== 'direct' && method !== 'first_to_claim')

const Step = Type.Unsafe<Fallback>({
  type: 'object',
  properties: { method: { enum: fallbackMethods }, member_id: Id },
  minProperties: 1,
  maxProperties: 1,
  ...closed,
})

const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] })

const choice = {
  method: Type.Enum(methods, { description: 'How the rule chooses among its pool.' }),
  pool: Pool,
  weights: Type.Optional(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      maxProperties: 1000,
      additionalProperties: { type: 'integer', minimum: 0, maximum: 1000 },
      description: 'Shares by member, for `weighted`; 1 where none is given, and 0 gets nothing.',
    }),
  ),
  caps: Type.Optional(orNull(Caps)),
  sticky: Type.Optional(
    Type.Object(
      { existing_owner: Type.Optional(Type.Boolean()) },
      { ...closed, description: '`existing_owner`: whoever has the contact already comes first.' },
    ),
  ),
  claim_seconds: Type.Optional(
    Type.Integer({
      minimum: 15,
      maximum: 86_400,
      description: 'How long an offer of `first_to_claim` stands; 300.',
    }),
  ),
  on_match: Type.Optional(
    Type.Object(
      { tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems: 10 })) },
      { ...closed, description: 'Tags for the contact.' },
    ),
  ),
  fallback: Type.Optional(
    Type.Array(Step, {
      maxItems: 3,
      description: 'What is tried next when nobody can be chosen, or nobody claims: methods or members.',
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
        description: 'Lower ones first, then the older rule; 100.',
      }),
    ),
    conditions: Type.Optional(Conditions),
    schedule: Type.Optional(orNull(Schedule)),
    ...choice,
  },
  { ...closed, title: 'Rule' },
)
export type RuleDraft = Static<typeof RuleDraft>

const DefaultDraft = Type.Object(
  { id: Type.Optional(Type.Enum(['default'])), name: Type.Optional(Name), ...choice },
  { ...closed, description: 'For leads that no rule matches; everybody in turn, where there is none.' },
)
export type DefaultDraft = Static<typeof DefaultDraft>

/** The rules of a workspace as people write them. */
export const RulesDocument = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Of the rules that this was made from; refused when they have been changed since.',
      }),
    ),
    timezone: Type.Optional(Timezone),
    default: Type.Optional(DefaultDraft),
    rules: Type.Array(RuleDraft, {
      maxItems: 1000,
      description:
        'The first that matches has the lead. A rule is known again by its id, or else by its name.',
    }),
  },
  {
    ...closed,
    title: 'RoutingRules',
    description: 'Who gets which leads. A document replaces all rules at once.',
    $defs: { Condition: ConditionSchema },
    examples: [
      {
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
      },
    ],
  },
)
export type RulesDocument = Static<typeof RulesDocument>
