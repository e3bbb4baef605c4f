import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import {
  type RowOf,
  defaulted,
  deletedAt,
  freeText,
  optional,
  readOnly,
  required,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { oneLine } from '#kernel/schemas.ts'
import { Shift } from '../routing/public.ts'
import { ChannelSchema } from '../senders/public.ts'

export const modes = ['off', 'suggest', 'approve', 'auto'] as const

const said = (maxLength: number, description?: string) => ({
  ...freeText(maxLength, description),
  minLength: 1,
})

const Handoff = Type.Object(
  {
    message: Type.Optional(
      masked(
        'text',
        Type.String({
          minLength: 1,
          maxLength: 300,
          description: 'The message to the contact when a person takes over. Without it, nothing is sent.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
)

const distinct = <T>(list: T[]) => [...new Set(list)]

export const personaFields = {
  name: required({ ...said(80, 'The name that the persona signs with.'), pattern: oneLine }),
  role: optional(said(80, 'The role, such as `Assistant of the sales team`.')),
  enabled: defaulted(
    Type.Boolean({
      description:
        'If false, the persona stops. Its queued messages and its messages that are waiting for approval stop as well.',
    }),
    true,
  ),
  mode: defaulted(
    Type.Enum(modes, {
      title: 'PersonaMode',
      description:
        '`suggest` keeps the response on the conversation as a suggestion; `approve` creates a message that a person sends, edits, or drops within 24 hours; `auto` sends the response if every gate allows it.',
    }),
    'off',
  ),
  channels: defaulted(Type.Array(ChannelSchema, { minItems: 1, maxItems: 3 }), ['SMS'], {
    normalize: distinct,
  }),
  languages: defaulted(
    Type.Array(Type.Enum(['en', 'es']), {
      minItems: 1,
      maxItems: 2,
      description: 'The languages it writes in. It uses the language of the contact, or else the first one.',
    }),
    ['en'],
    { normalize: distinct },
  ),
  greeting: optional(said(300, 'How the persona begins its first message to a contact.')),
  disclosure: required(
    said(
      300,
      'States that an AI writes, and for whom. Gable adds it at the start of the first AI message to each contact.',
    ),
  ),
  goal: optional(said(1000)),
  instructions: optional(said(5000)),
  knowledge: optional(
    said(
      20_000,
      'Facts that the persona may use, such as office hours. It also knows the active listings of the workspace.',
    ),
  ),
  prohibited_topics: defaulted(
    masked('text', Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 30 })),
    [],
    { normalize: distinct },
  ),
  active_hours: defaulted(
    Type.Array(Shift, {
      maxItems: 20,
      description:
        'When the persona responds, in the time zone of the workspace. If `to` is before `from`, it is on the next day; equal times mean a whole day. An empty list means any hour.',
    }),
    [],
  ),
  max_messages_per_day: defaulted(
    Type.Integer({ minimum: 1, maximum: 50, description: 'The most messages to one contact in 24 hours.' }),
    6,
  ),
  max_unanswered: defaulted(
    Type.Integer({ minimum: 1, maximum: 10, description: 'The most messages since the contact last wrote.' }),
    2,
  ),
  reply_delay: defaulted(
    Type.Integer({
      minimum: 0,
      maximum: 3600,
      description: 'How many seconds the persona waits, so that several messages in a row get one response.',
    }),
    8,
  ),
  stop_on_human_message: defaulted(
    Type.Boolean({ description: 'Whether a message from a person pauses the AI for the contact.' }),
    true,
  ),
  handoff: defaulted(Handoff, {}),
  version: readOnly(Type.Integer({ description: 'Counts the changes.' }), 1),
  deleted_at: deletedAt(),
}

export const personas = defineRecord('Persona', {
  fields: personaFields,
  example: {
    name: 'Alder',
    role: 'Assistant of the sales team',
    disclosure: 'This is Alder, the AI assistant of Lakeside Realty.',
    goal: 'Find out what the person is looking for, and offer a showing with their agent.',
    knowledge: 'The office is open Monday to Saturday, 9 am to 6 pm.',
    prohibited_topics: ['commissions'],
    active_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '20:00' }],
    handoff: { message: 'I have asked your agent to get back to you.' },
  },
  patchExample: { mode: 'approve', languages: ['en', 'es'] },
})
export type Persona = RowOf<typeof personaFields>
export type PersonaDraft = Static<typeof personas.Draft>
export type PersonaPatch = Static<typeof personas.Patch>

export const presentPersona = ({ deleted_at: _, ...shown }: Persona) => shown

/** Whether a persona is active: enabled, not deleted, and in a mode other than `off`. */
export const isOn = ({ enabled, mode, deleted_at }: Persona): boolean =>
  enabled && mode !== 'off' && deleted_at === null
