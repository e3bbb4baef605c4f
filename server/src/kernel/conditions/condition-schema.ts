import type { TSchema } from 'typebox'
import type { FieldRegistry } from './condition.ts'
import { operators } from './operators.ts'

interface Words {
  /** The name under `$defs`. */
  title: string
  description: string
  /** Description of a test's `field`. */
  field: string
}

/**
 * A JSON Schema of conditions. It does not say which operators a field takes or which values an operator takes:
 * `issuesOfCondition` checks those.
 */
export function conditionSchema(
  { fields, open }: FieldRegistry<never>,
  { title, description, field }: Words,
): TSchema {
  const openings = Object.keys(open).map((name) => ({
    type: 'string',
    pattern: `^${name.replaceAll('.', '\\.')}\\.`,
    maxLength: 200,
  }))
  return {
    title,
    description,
    anyOf: [
      {
        type: 'object',
        required: ['field', 'operator'],
        properties: {
          field: {
            anyOf: [
              { title: `${title.replace('Condition', '')}Field`, enum: Object.keys(fields) },
              ...openings,
            ],
            description: field,
          },
          operator: { title: 'ConditionOperator', enum: operators },
          value: {
            description:
              'The value to compare with. Omit it for `exists` and `not_exists`. Two values for `between` and `time_between`; a list for `in`, `not_in`, and `has_…`.',
          },
        },
        additionalProperties: false,
      },
      group(title, 'all', 0),
      group(title, 'any', 1),
      group(title, 'none', 1),
    ],
  }
}

const group = (title: string, name: 'all' | 'any' | 'none', minItems: number): TSchema => ({
  type: 'object',
  required: [name],
  properties: {
    [name]: { type: 'array', minItems, maxItems: 100, items: { $ref: `#/$defs/${title}` } },
  },
  additionalProperties: false,
})
