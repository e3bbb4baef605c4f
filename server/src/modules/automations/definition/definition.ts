import type { TSchema } from 'typebox'
import { conditionSchema } from '#kernel/conditions/condition-schema.ts'
import type { Condition } from '#kernel/conditions/condition.ts'
import { stepText as text } from '#kernel/steps/step-type.ts'
import { type Contact, stages } from '../../contacts/public.ts'
import { conditionFields } from './condition-fields.ts'
import { type SendHours, SendWindow } from './send-window.ts'
import { type AutomationStep, conditions, stepSchemas, steps } from './step-types.ts'

export interface Trigger {
  event: string
  conditions?: Condition
}

export const exitEvents = ['replied', 'booked', 'opted_out', 'owner_changed', 'deal_won'] as const
export type Exit =
  | { when: (typeof exitEvents)[number] }
  | { when: 'stage'; stage: Contact['stage'] }
  | { when: 'tag'; tag: string }
  | { when: 'conditions'; conditions: Condition }

/** The values of `when` that require a member of the same name. */
export const exitMembers = ['stage', 'tag', 'conditions'] as const

export interface Definition {
  triggers?: Trigger[]
  exits?: Exit[]
  exclusive_group?: { name: string; when_taken?: 'stay_out' | 'replace' }
  max_per_hour?: number
  re_enrollment?: 'never' | 'always' | { after_days: number }
  send_window?: SendHours
  steps: AutomationStep[]
}

/** Levels of nested JSON: enough for 8 levels of branches, with 8 of conditions in the innermost. */
export const definitionLevels = 64

const closed = { additionalProperties: false }

/** The published schema of a definition. `definitionIssues` also checks what the schema cannot express. */
export const DefinitionSchema = {
  title: 'AutomationDefinition',
  description:
    'What starts an automation, its steps, and what ends it. At most 100 steps with unique keys, 64 kB, and branches nested up to 8 levels.',
  type: 'object',
  properties: {
    triggers: {
      type: 'array',
      maxItems: 20,
      description:
        'Events that enroll their contact. Without triggers, contacts are enrolled only by request.',
      items: {
        type: 'object',
        properties: { event: text(80), conditions },
        required: ['event'],
        ...closed,
      },
    },
    exits: {
      type: 'array',
      maxItems: 20,
      description:
        'What ends an enrollment before its last step: an event, or a contact who is in the `stage`, has the `tag`, or meets the `conditions`. An erasure or the stage `TRASH` always ends it.',
      items: {
        type: 'object',
        properties: {
          when: { enum: [...exitEvents, ...exitMembers] },
          stage: { enum: stages },
          tag: text(40),
          conditions,
        },
        required: ['when'],
        ...closed,
      },
    },
    re_enrollment: {
      description:
        'Whether a trigger can enroll a contact who was enrolled before. `never` by default. A request always can.',
      anyOf: [
        { enum: ['never', 'always'] },
        {
          type: 'object',
          properties: { after_days: { type: 'integer', minimum: 1, maximum: 3650 } },
          required: ['after_days'],
          ...closed,
        },
      ],
    },
    exclusive_group: {
      type: 'object',
      description:
        'A contact can be enrolled in only one automation of the group at a time. `when_taken` says what happens to a contact who is enrolled in another: `stay_out` (default) does not enroll the contact here; `replace` ends the other enrollment with the reason `replaced`.',
      properties: { name: text(40), when_taken: { enum: ['stay_out', 'replace'] } },
      required: ['name'],
      ...closed,
    },
    max_per_hour: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description:
        'How many contacts triggers can start within an hour. Further contacts are enrolled at once but start later, in order; none are lost. Requests are not limited.',
    },
    send_window: SendWindow,
    steps: { ...steps, minItems: 1 },
  },
  required: ['steps'],
  ...closed,
  $defs: {
    AutomationCondition: conditionSchema(conditionFields, {
      title: 'AutomationCondition',
      description:
        'A test, or a group of which `all`, `any`, or `none` must hold. Groups nest up to 8 levels. Comparisons ignore case, accents, and leading or trailing spaces. A missing value passes `neq`, `not_in`, `has_none`, and `not_exists`, and fails every other test.',
      field:
        'The field to test. `lead.`, `deal.`, and `appointment.` test the record of the event, or else the newest lead, the newest open deal, and the next appointment of the contact. `days_since.` counts whole days since the last message, and has no value if there was none. `trigger.` and a path tests the data of the event that enrolled the contact. `event.` tests, in a `wait_for`, the data of the event that arrived. `context.` tests what a request sent, and `lead.context.` what the lead contained.',
    }) as TSchema,
    AutomationStep: { title: 'AutomationStep', anyOf: [...stepSchemas.values()] },
  },
} as const
