import { Type } from 'typebox'
import { timePattern, weekdays } from '#kernel/conditions/hours.ts'
import { idPattern } from '#kernel/ids.ts'
import { stages } from '../../contacts/public.ts'
import { anchors } from './anchor.ts'
import type { AutomationStep, Definition } from './definition.ts'

const amount = (maximum: number) => ({ type: 'integer', minimum: 0, maximum })
const span = {
  type: 'object',
  properties: { minutes: amount(100_000), hours: amount(10_000), days: amount(3650) },
  minProperties: 1,
  additionalProperties: false,
}
const calendarSpan = {
  ...span,
  properties: { ...span.properties, months: amount(120), years: amount(30) },
}
export const textSchema = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const id = { type: 'string', pattern: idPattern }
export const conditions = { $ref: '#/$defs/AutomationCondition' }
export const steps = { type: 'array', maxItems: 100, items: { $ref: '#/$defs/AutomationStep' } }

const step = (type: string, members: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  properties: { key: { type: 'string', pattern: '^[a-z0-9_]{1,40}$' }, type: { enum: [type] }, ...members },
  required: ['key', 'type', ...Object.keys(members).filter((name) => !optional.includes(name))],
  additionalProperties: false,
})

const ofAutomation = { automation_id: id }

/** The hours within which messages of an automation are sent. */
export const SendWindow = Type.Unsafe<NonNullable<Definition['send_window']>>({
  type: 'object',
  description:
    'Messages are sent only within these hours. `contact` (default): in every time zone where the contact may be, based on their `timezone`, ZIP code, state, or area code, or in the time zone of the workspace if none is known. `workspace`: in the time zone of the workspace.',
  properties: {
    days: { type: 'array', minItems: 1, maxItems: 7, items: { enum: weekdays } },
    from: { type: 'string', pattern: timePattern },
    to: { type: 'string', pattern: timePattern },
    zone: { enum: ['contact', 'workspace'] },
  },
  required: ['from', 'to'],
  additionalProperties: false,
})

/** The schema of each step type. */
export const stepSchemas: Readonly<Record<AutomationStep['type'], object>> = {
  wait: step('wait', { for: span }),
  wait_until: step(
    'wait_until',
    {
      anchor: {
        enum: anchors,
        description:
          'A time of the appointment or the deal in the event or the request, or else of the next appointment of the contact, or of one of their open or won deals. If the time moves, the step follows it.',
      },
      before: calendarSpan,
      after: calendarSpan,
      at: {
        type: 'string',
        pattern: timePattern,
        description: 'The time of day in the time zone of the workspace. Deal dates default to 09:00.',
      },
      if_gone: {
        enum: ['skip', 'exit'],
        description: 'What happens if there is no such time, or no longer one. `skip` by default.',
      },
    },
    ['before', 'after', 'at', 'if_gone'],
  ),
  wait_for: step(
    'wait_for',
    {
      events: {
        type: 'array',
        minItems: 1,
        maxItems: 20,
        description:
          'The first of these events decides. Directly after a message, events since Gable accepted the message count, too.',
        items: {
          type: 'object',
          properties: { event: textSchema(80), conditions, steps },
          required: ['event'],
          additionalProperties: false,
        },
      },
      timeout: span,
      on_timeout: steps,
    },
    ['on_timeout'],
  ),
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
      subject: textSchema(200),
      body: textSchema(4000),
      on_blocked: { enum: ['skip', 'exit'] },
    },
    ['subject', 'on_blocked'],
  ),
  appointment_reminder: step(
    'appointment_reminder',
    { channel: { enum: ['sms', 'email'] }, on_blocked: { enum: ['skip', 'exit'] } },
    ['on_blocked'],
  ),
  ai_message: step(
    'ai_message',
    {
      channel: { enum: ['sms', 'email'] },
      persona_id: {
        ...id,
        description:
          'The persona that writes. Its mode decides what happens to the text. If the persona is off or does not write on the channel, the step is skipped.',
      },
      purpose: {
        ...textSchema(1000),
        description:
          'What the message is for, in plain words. The AI has the conversation and the first name.',
      },
      subject: textSchema(200),
      on_blocked: { enum: ['skip', 'exit'] },
    },
    ['subject', 'on_blocked'],
  ),
  webhook: step(
    'webhook',
    {
      url: {
        type: 'string',
        minLength: 1,
        maxLength: 2048,
        description: 'An https URL with a public address. Gable does not follow redirects.',
      },
      webhook_id: { ...id, description: 'The webhook whose secret signs the request.' },
      data: { type: 'object', maxProperties: 50, description: 'The `data` of the request.' },
    },
    ['data'],
  ),
  task: step(
    'task',
    {
      title: textSchema(200),
      description: textSchema(5000),
      task_type: { enum: ['call', 'text', 'email', 'follow_up', 'showing', 'closing', 'other'] },
      priority: { enum: ['low', 'normal', 'high'] },
      due_in: span,
      assignee_id: id,
    },
    ['description', 'task_type', 'priority', 'due_in', 'assignee_id'],
  ),
  tag: step('tag', { tag: textSchema(40) }),
  untag: step('untag', { tag: textSchema(40) }),
  stage: step('stage', { stage: { enum: stages } }),
  owner: step('owner', { member_id: id }),
  note: step('note', { body: textSchema(5000) }),
  pause_ai: step('pause_ai', {}),
  notify_member: step('notify_member', { message: textSchema(1000), member_id: id }, ['member_id']),
  enroll: step('enroll', ofAutomation),
  stop: step('stop', ofAutomation),
  route: step('route', {}),
  move_deal: step('move_deal', { stage_id: id, status: { enum: ['open', 'won', 'lost'] } }, [
    'stage_id',
    'status',
  ]),
}
