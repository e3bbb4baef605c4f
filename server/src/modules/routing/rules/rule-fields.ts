import type { ConditionField, FieldRegistry } from '#kernel/conditions/condition.ts'
import type { Facts } from './facts.ts'

type Plain = Exclude<keyof Facts, 'context' | 'owner_id'>

const fact = (
  name: Plain,
  type: ConditionField<Facts>['type'],
  values?: readonly string[],
): ConditionField<Facts> => ({
  type,
  read: (facts) => facts[name],
  ...(values && { values }),
})

const fields = {
  source: fact('source', 'text'),
  stage: fact('stage', 'text'),
  tags: fact('tags', 'list'),
  zip: fact('zip', 'text'),
  city: fact('city', 'text'),
  state: fact('state', 'text'),
  price: fact('price', 'number'),
  area_code: fact('area_code', 'text'),
  has_phone: fact('has_phone', 'truth'),
  has_email: fact('has_email', 'truth'),
  office_id: fact('office_id', 'text'),
  team_id: fact('team_id', 'text'),
  consent_status: fact('consent_status', 'text', ['none', 'insufficient', 'sufficient']),
  time: { type: 'time', read: (_, moment) => moment.local(moment.timezone).time },
} satisfies Record<string, ConditionField<Facts>>

/** The fields that a condition can test; `context.` and a path tests a value in the lead's context. */
export const fieldsOfRules = {
  fields,
  open: { context: ({ context }) => context },
} satisfies FieldRegistry<Facts>
export type RuleField = keyof typeof fields | `context.${string}`
