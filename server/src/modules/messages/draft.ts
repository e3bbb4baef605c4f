import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { reference } from '#kernel/records/fields.ts'
import { oneLine, variants } from '#kernel/schemas.ts'

const common = {
  contact_id: Type.Optional(
    reference('contact', 'The contact to send to. `to` must be one of their numbers or addresses.'),
  ),
  purpose: Type.Optional(
    Type.Enum(['outbound', 'reply'], {
      description:
        '`outbound` by default. A `reply` counts as a reply if the person has written on the same channel within 24 hours.',
    }),
  ),
  from: Type.Optional(
    Type.String({
      maxLength: 254,
      description:
        'A sender of the workspace, by ID or address. By default the one that the person last wrote to.',
      'x-references': 'sender',
    }),
  ),
  when_blocked: Type.Optional(
    Type.Enum(['refuse', 'schedule'], {
      description:
        '`schedule` keeps a message that only the hours forbid, and judges it again when the hours begin.',
    }),
  ),
  ai_generated: Type.Optional(
    Type.Boolean({
      description: 'Whether an AI wrote the message. The gates then judge it as an AI message.',
    }),
  ),
}

const phone = Type.String({
  minLength: 5,
  maxLength: 32,
  description: 'A phone number. With `contact_id`, it may be the masked number that the contact shows.',
})

const mediaUrls = (maxItems: number) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 9, maxLength: 2048 }), {
      maxItems,
      description:
        'Pictures and files to send, by their https addresses: JPEG, PNG, GIF, WebP, PDF, or vCard, up to 5 MB each. Gable fetches each once, when it accepts the message, and follows no redirects. Not for texts that an AI wrote.',
    }),
  )

const SmsDraft = Type.Object(
  {
    channel: Type.Literal('sms'),
    to: phone,
    body: masked(
      'text',
      Type.String({
        minLength: 1,
        maxLength: 4000,
        description: 'Twilio accepts up to 1,600 characters. A longer text becomes `failed`.',
      }),
    ),
    media_urls: mediaUrls(10),
    ...common,
  },
  {
    title: 'SmsDraft',
    additionalProperties: false,
    examples: [
      {
        channel: 'sms',
        to: '+13125550177',
        body: 'The open house at Alder Court is at 2 pm on Saturday.',
        when_blocked: 'schedule',
      },
    ],
  },
)

const WhatsAppDraft = Type.Object(
  {
    channel: Type.Literal('whatsapp'),
    to: phone,
    body: Type.Optional(
      masked(
        'text',
        Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'Only within 24 hours of a message from the person.',
        }),
      ),
    ),
    media_urls: mediaUrls(1),
    template: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 512 }),
          language: Type.String({ minLength: 2, maxLength: 16 }),
          variables: Type.Optional(
            masked('text', Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 50 })),
          ),
        },
        { additionalProperties: false, description: 'An approved template, instead of `body`.' },
      ),
    ),
    ...common,
  },
  {
    title: 'WhatsAppDraft',
    additionalProperties: false,
    examples: [
      {
        channel: 'whatsapp',
        to: '+13125550177',
        template: { name: 'viewing_reminder', language: 'en_US', variables: ['Saturday, 2 pm'] },
        when_blocked: 'schedule',
      },
    ],
  },
)

const EmailDraft = Type.Object(
  {
    channel: Type.Literal('email'),
    to: Type.String({
      minLength: 3,
      maxLength: 254,
      description:
        'An email address. With `contact_id`, it may be the masked address that the contact shows.',
    }),
    subject: masked('text', Type.String({ minLength: 1, maxLength: 255, pattern: oneLine })),
    body: Type.Optional(
      masked('text', Type.String({ minLength: 1, maxLength: 50_000, description: 'Plain text.' })),
    ),
    html: Type.Optional(masked('text', Type.String({ minLength: 1, maxLength: 50_000 }))),
    reply_to_message_id: Type.Optional(
      reference(
        'message',
        'The email to continue, with the same person. By default the last one that the person wrote in the conversation.',
      ),
    ),
    ...common,
  },
  {
    title: 'EmailDraft',
    additionalProperties: false,
    examples: [
      {
        channel: 'email',
        to: 'sam@reyes.example',
        subject: 'Your viewing on Saturday',
        body: 'See you at 2 pm at Alder Court.',
      },
    ],
  },
)

export const MessageDraft = variants('channel', [SmsDraft, WhatsAppDraft, EmailDraft], {
  title: 'MessageDraft',
})
export type MessageDraft = Static<typeof MessageDraft>

/** A message to check, perhaps before it is written. */
export const PreflightDraft = variants(
  'channel',
  [
    Type.Object(
      { ...SmsDraft.properties, body: Type.Optional(SmsDraft.properties.body) },
      {
        title: 'SmsPreflightDraft',
        additionalProperties: false,
        examples: [{ channel: 'sms', to: '+13125550177' }],
      },
    ),
    WhatsAppDraft,
    Type.Object(
      { ...EmailDraft.properties, subject: Type.Optional(EmailDraft.properties.subject) },
      {
        title: 'EmailPreflightDraft',
        additionalProperties: false,
        examples: [{ channel: 'email', to: 'sam@reyes.example' }],
      },
    ),
  ],
  { title: 'PreflightDraft' },
)
export type PreflightDraft = Static<typeof PreflightDraft>
