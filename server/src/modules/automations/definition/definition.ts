import type { TSchema } from 'typebox'
import { conditionSchema } from '#kernel/conditions/condition-schema.ts'
import type { Condition } from '#kernel/conditions/condition.ts'
import type { Hours } from '#kernel/conditions/hours.ts'
import { type Contact, stages } from '../../contacts/public.ts'
import type { Anchor } from './anchor.ts'
import { conditionFields } from './condition-fields.ts'
import { SendWindow, conditions, stepSchemas, steps, textSchema as text } from './step-schemas.ts'

interface Span {
  minutes?: number
  hours?: number
  days?: number
}

/** Counted by the calendar: a year after February 29 is February 28. */
export interface CalendarSpan extends Span {
  months?: number
  years?: number
}

interface Keyed {
  key: string
}

export interface SendStep extends Keyed {
  type: 'send'
  channel: 'sms' | 'email' | 'whatsapp'
  subject?: string
  body: string
  /**
   * Only campaigns set `from`, `html`, `template`, and `persona_id`: the sender, the HTML of an email, and the template of a WhatsApp
   * message.
   */
  from?: string
  html?: string
  template?: { name: string; language: string; variables: string[] }
  persona_id?: string
  on_blocked?: 'skip' | 'exit'
}

/** A message about the appointment, with a built-in text. It is not marketing. */
export interface ReminderStep extends Keyed {
  type: 'appointment_reminder'
  channel: 'sms' | 'email'
  on_blocked?: 'skip' | 'exit'
}

/** A message that a persona writes. The mode of the persona decides whether it is sent, waits for approval, or is only suggested. */
export interface AiMessageStep extends Keyed {
  type: 'ai_message'
  channel: 'sms' | 'email'
  persona_id: string
  purpose: string
  subject?: string
  on_blocked?: 'skip' | 'exit'
}

export interface BranchStep extends Keyed {
  type: 'branch'
  branches: { conditions: Condition; steps: AutomationStep[] }[]
  else?: AutomationStep[]
}

export interface WaitStep extends Keyed {
  type: 'wait'
  for: Span
}

export interface WaitUntilStep extends Keyed {
  type: 'wait_until'
  anchor: Anchor
  before?: CalendarSpan
  after?: CalendarSpan
  at?: string
  if_gone?: 'skip' | 'exit'
}

export interface WaitForStep extends Keyed {
  type: 'wait_for'
  events: { event: string; conditions?: Condition; steps?: AutomationStep[] }[]
  timeout: Span
  on_timeout?: AutomationStep[]
}

/** A step that changes something in Gable at once. */
export type ActionStep = Keyed &
  (
    | {
        type: 'task'
        title: string
        description?: string
        task_type?: string
        priority?: string
        due_in?: Span
        assignee_id?: string
      }
    | { type: 'tag' | 'untag'; tag: string }
    | { type: 'stage'; stage: string }
    | { type: 'owner'; member_id: string }
    | { type: 'note'; body: string }
    | { type: 'pause_ai' }
    | { type: 'notify_member'; message: string; member_id?: string }
    | { type: 'enroll' | 'stop'; automation_id: string }
    | { type: 'route' }
    | { type: 'move_deal'; stage_id?: string; status?: 'open' | 'won' | 'lost' }
  )

export type AutomationStep =
  | WaitStep
  | WaitUntilStep
  | WaitForStep
  | BranchStep
  | SendStep
  | ReminderStep
  | AiMessageStep
  | WebhookStep
  | ActionStep

/** Any step except `wait`, which `advance` handles itself. */
export type AskableStep = Exclude<AutomationStep, WaitStep>

/** A request to an external system. The step waits for the response. */
export interface WebhookStep extends Keyed {
  type: 'webhook'
  url: string
  webhook_id: string
  data?: Record<string, unknown>
}

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
  send_window?: Partial<Hours> & Pick<Hours, 'from' | 'to'> & { zone?: 'contact' | 'workspace' }
  steps: AutomationStep[]
}

export const spanMs = ({ minutes = 0, hours = 0, days = 0 }: Span): number =>
  ((days * 24 + hours) * 60 + minutes) * 60_000

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
    AutomationStep: { title: 'AutomationStep', anyOf: Object.values(stepSchemas) },
  },
} as const
