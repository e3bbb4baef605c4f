import { type Static, Type } from 'typebox'
import { Timestamp } from '#kernel/schemas.ts'
import { automationFields, exampleDefinition } from './automation.ts'
import type { Definition } from './definition/definition.ts'

/** A published version of an automation. It never changes. */
export const AutomationVersion = Type.Object(
  {
    id: Type.String(),
    automation_id: Type.String(),
    version: Type.Integer({ description: 'Counts from 1. Enrollments name the version that they follow.' }),
    definition: Type.Unsafe<Definition>({
      type: 'object',
      description: 'The definition as it was published.',
    }),
    created_by: automationFields.created_by.schema,
    created_at: Timestamp,
  },
  {
    title: 'AutomationVersion',
    examples: [
      {
        id: 'cmi8hf1c2000cq6t8v3n5b7m1',
        automation_id: 'cmi8g5r8h0001n4t6w2q9y3k7',
        version: 3,
        definition: exampleDefinition,
        created_by: { type: 'member', id: 'cmi8h1p4z0000b7w2x5c8v1n4' },
        created_at: '2026-11-20T20:09:27.310Z',
      },
    ],
  },
)
export type AutomationVersion = Static<typeof AutomationVersion>
