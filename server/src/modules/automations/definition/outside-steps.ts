import { Type } from 'typebox'
import type { Issue } from '#kernel/errors.ts'
import { InsufficientScope } from '#kernel/http/http-errors.ts'
import { idPattern } from '#kernel/ids.ts'
import { type StepOf, stepShape, stepText } from '#kernel/steps/step-type.ts'
import { findPersona, isOn } from '../../personas/public.ts'
import { findWebhook } from '../../webhooks/public.ts'
import { placeholderIssues } from './placeholders.ts'

const channel = Type.Enum(['sms', 'email'])
const on_blocked = Type.Optional(Type.Enum(['skip', 'exit']))
const subject = Type.Optional(stepText(200))

function textIssues({
  channel: by,
  ...texts
}: {
  channel?: 'sms' | 'email'
  subject?: string
  body?: string
}): Issue[] {
  const { subject: title, body } = texts
  const isMisplaced = by !== undefined && (by === 'email') !== (title !== undefined)
  const message = by === 'email' ? 'is required' : 'is not allowed with sms'
  return [
    ...(isMisplaced ? [{ path: 'subject', message }] : []),
    ...Object.entries({ subject: title, body }).flatMap(([path, text]) =>
      placeholderIssues(text ?? '').map((issue) => ({ path, message: issue })),
    ),
  ]
}

export const sendShape = stepShape({
  type: 'send',
  members: { channel, subject, body: stepText(4000), on_blocked },
  issues: textIssues,
})

/** What only the step of a campaign has, which no definition of a request can contain. */
interface CampaignPart {
  /** The sender. */
  from?: string
  /** The HTML of an email. */
  html?: string
  /** The template of a WhatsApp message. */
  template?: { name: string; language: string; variables: string[] }
  persona_id?: string
}

export type SendStep = Omit<StepOf<'send', typeof sendShape.members>, 'channel'> &
  CampaignPart & { channel: 'sms' | 'email' | 'whatsapp' }

/** A message about the appointment, with a built-in text. It is not marketing. */
export const reminderShape = stepShape({
  type: 'appointment_reminder',
  members: { channel, on_blocked },
})
export type ReminderStep = StepOf<'appointment_reminder', typeof reminderShape.members>

/** A message that a persona writes. The mode of the persona decides whether it is sent, waits for approval, or is only suggested. */
export const aiMessageShape = stepShape({
  type: 'ai_message',
  members: {
    channel,
    persona_id: Type.String({
      pattern: idPattern,
      description:
        'The persona that writes. Its mode decides what happens to the text. If the persona is off or does not write on the channel, the step is skipped.',
    }),
    purpose: stepText(1000, {
      description: 'What the message is for, in plain words. The AI has the conversation and the first name.',
    }),
    subject,
    on_blocked,
  },
  literals: ['purpose'],
  issues: textIssues,
  references: {
    async persona_id({ db }, id) {
      const persona = await findPersona(db, id)
      if (persona === undefined) return 'missing'
      return isOn(persona)
        ? undefined
        : { level: 'warning', message: 'is a persona that is off, so the step is skipped' }
    },
  },
})
export type AiMessageStep = StepOf<'ai_message', typeof aiMessageShape.members>

/** A request to an external system. The step waits for the response. */
export const webhookShape = stepShape({
  type: 'webhook',
  members: {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'An https URL with a public address. Gable does not follow redirects.',
    }),
    webhook_id: Type.String({
      pattern: idPattern,
      description: 'The webhook whose secret signs the request.',
    }),
    data: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        maxProperties: 50,
        description: 'The `data` of the request.',
      }),
    ),
  },
  references: {
    // By the same rules as the URLs of webhooks.
    async url({ egress }, url) {
      const message = await egress.inspect(url)
      return message === undefined ? undefined : { level: 'error', message }
    },
    // The webhook's secret vouches for what the step sends, so the step is a use of the webhook.
    async webhook_id({ db, actor, scopes }, id) {
      if (actor.type !== 'system' && !scopes.has('webhooks:manage'))
        throw InsufficientScope('webhooks:manage')
      return (await findWebhook(db, actor, id)) === undefined ? 'missing' : undefined
    },
  },
})
export type WebhookStep = StepOf<'webhook', typeof webhookShape.members>
