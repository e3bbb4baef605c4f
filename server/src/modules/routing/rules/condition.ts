import { type Condition, type Prepared, prepareFor } from '#kernel/conditions/condition.ts'
import type { Facts } from './facts.ts'
import { fieldsOfRules } from './rule-fields.ts'

export { failingConditions, holds } from '#kernel/conditions/condition.ts'

/** A condition with everything precomputed that does not depend on the lead. */
export type PreparedCondition = Prepared<Facts>

export const prepareCondition = (condition: Condition): PreparedCondition =>
  prepareFor(fieldsOfRules, condition)
