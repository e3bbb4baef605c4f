import type { TSchema } from 'typebox'
import { conditionSchema } from '#kernel/conditions/condition-schema.ts'
import type { Condition } from '#kernel/conditions/condition.ts'
import { type Hours, timePattern, weekdays } from '#kernel/conditions/hours.ts'
import { idPattern } from '#kernel/ids.ts'
import { type Contact, stages } from '../../contacts/public.ts'
import { conditionFields } from './condition-fields.ts'

interface Span {
  minutes?: number
  hours?: number
  days?: number
}

interface Keyed {
  key: string
}

export interface SendStep extends Keyed {
  type: 'send'
  channel: 'sms' | 'email'
  subject?: string
  body: string
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

/** A step that changes something here, at once. */
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
  )

export type AutomationStep = WaitStep | BranchStep | SendStep | ActionStep

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

/** What an exit must name beside `when`. */
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

const amount = (maximum: number) => ({ type: 'integer', minimum: 0, maximum })
const span = {
  type: 'object',
  properties: { minutes: amount(100_000), hours: amount(10_000), days: amount(3650) },
  minProperties: 1,
  additionalProperties: false,
}
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const id = { type: 'string', pattern: idPattern }
const conditions = { $ref: '#/$defs/AutomationCondition' }
const steps = { type: 'array', maxItems: 100, items: { $ref: '#/$defs/AutomationStep' } }

const step = (type: string, members: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  properties: { key: { type: 'string', pattern: '^[a-z0-9_]{1,40}$' }, type: { enum: [type] }, ...members },
  required: ['key', 'type', ...Object.keys(members).filter((name) => !optional.includes(name))],
  additionalProperties: false,
})

const ofAutomation = { automation_id: id }

/** The schema of each kind of step, by its type. */
export const stepSchemas: Readonly<Record<AutomationStep['type'], object>> = {
  wait: step('wait', { for: span }),
  branch: step(
    'branch',
    {
      branches: {
        type: 'array',
        minItems: 1,
        maxItems: 20,
        items: {
          type: 'object',
          properties: { conditions, steps },
          required: ['conditions', 'steps'],
          additionalProperties: false,
        },
      },
      else: steps,
    },
    ['else'],
  ),
  send: step(
    'send',
    {
      channel: { enum: ['sms', 'email'] },
      subject: text(200),
      body: text(4000),
      on_blocked: { enum: ['skip', 'exit'] },
    },
    ['subject', 'on_blocked'],
  ),
  task: step(
    'task',
    {
      title: text(200),
      description: text(5000),
      task_type: { enum: ['call', 'text', 'email', 'follow_up', 'showing', 'closing', 'other'] },
      priority: { enum: ['low', 'normal', 'high'] },
      due_in: span,
      assignee_id: id,
    },
    ['description', 'task_type', 'priority', 'due_in', 'assignee_id'],
  ),
  tag: step('tag', { tag: text(40) }),
  untag: step('untag', { tag: text(40) }),
  stage: step('stage', { stage: { enum: stages } }),
  owner: step('owner', { member_id: id }),
  note: step('note', { body: text(5000) }),
  pause_ai: step('pause_ai', {}),
  notify_member: step('notify_member', { message: text(1000), member_id: id }, ['member_id']),
  enroll: step('enroll', ofAutomation),
  stop: step('stop', ofAutomation),
}

const closed = { additionalProperties: false }

/** The published schema of a definition. `definitionIssues` also checks what it cannot say. */
export const DefinitionSchema = {
  title: 'AutomationDefinition',
  description:
    'What starts an automation, its steps, and what ends it. At most 100 steps with unique keys, 64 kB, and branches up to 8 deep.',
  type: 'object',
  properties: {
    triggers: {
      type: 'array',
      maxItems: 20,
      description: 'Events that enroll their contact. Without any, contacts are enrolled by request only.',
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
        'What ends it before its last step: an event, or that the contact is in the `stage`, has the `tag`, or meets the `conditions`. An erasure and the stage `TRASH` always do.',
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
        'Whether a trigger enrolls a contact again who has been in it: `never` by default. A request always does.',
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
        'A contact is in one automation of the group at a time. `when_taken` says what becomes of one who is in another: they `stay_out` of this one (default), or it `replace`s the other, which exits with the reason `replaced`.',
      properties: { name: text(40), when_taken: { enum: ['stay_out', 'replace'] } },
      required: ['name'],
      ...closed,
    },
    max_per_hour: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description:
        'How many contacts enter by triggers within any hour. Further ones are enrolled at once and begin later, in order; no one gets lost. Requests are not limited.',
    },
    send_window: {
      type: 'object',
      description:
        'Messages are sent within these hours only, in the time zone of the contact or the workspace.',
      properties: {
        days: { type: 'array', minItems: 1, maxItems: 7, items: { enum: weekdays } },
        from: { type: 'string', pattern: timePattern },
        to: { type: 'string', pattern: timePattern },
        zone: { enum: ['contact', 'workspace'] },
      },
      required: ['from', 'to'],
      ...closed,
    },
    steps: { ...steps, minItems: 1 },
  },
  required: ['steps'],
  ...closed,
  $defs: {
    AutomationCondition: conditionSchema(conditionFields, {
      title: 'AutomationCondition',
      description:
        'A test, or a group of which `all`, `any` or `none` must hold. Groups nest up to 8 levels. Comparisons ignore case, accents and outer blanks. A missing value passes `neq`, `not_in`, `has_none` and `not_exists`, and no other test.',
      field:
        'The field to test. `lead.`, `deal.` and `appointment.` test the record that the event is about, else the newest lead, the newest open deal, and the next appointment of the contact. `days_since.` counts whole days since the last message, and has no value where there was none. `trigger.` and a path tests the data of the event, `context.` what a request brought, `lead.context.` what the lead brought.',
    }) as TSchema,
    AutomationStep: { title: 'AutomationStep', anyOf: Object.values(stepSchemas) },
  },
} as const
