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
          description: 'Sent to the contact when a person takes over. Without it, nothing is sent.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
)

const distinct = <T>(list: T[]) => [...new Set(list)]

export const personaFields = {
  name: required(said(80, 'How it signs.')),
  role: optional(said(80, 'What it is, such as `Assistant of the sales team`.')),
  enabled: defaulted(
    Type.Boolean({ description: 'False stops it, also what it has queued and what waits for approval.' }),
    true,
  ),
  mode: defaulted(
    Type.Enum(modes, {
      description:
        '`suggest` keeps what it would write on the conversation; `approve` writes a message that a person sends, edits or drops within 24 hours; `auto` sends it, if every gate allows it.',
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
      description: 'In which it writes: that of the contact, or else the first.',
    }),
    ['en'],
    { normalize: distinct },
  ),
  greeting: optional(said(300, 'How it begins its first message to a contact.')),
  disclosure: required(
    said(
      300,
      'States that an AI writes, and for whom. Gable puts it in front of the first message of the AI to each contact.',
    ),
  ),
  goal: optional(said(1000)),
  instructions: optional(said(5000)),
  knowledge: optional(
    said(
      20_000,
      'Facts that it may use, such as office hours. It also knows the listings of the workspace that are on the market.',
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
        'When it responds, in the time zone of the workspace. `to` before `from` is on the next day; equal times mean a whole day. Empty for any hour.',
    }),
    [],
  ),
  max_messages_per_day: defaulted(
    Type.Integer({ minimum: 1, maximum: 50, description: 'Messages to one contact in 24 hours.' }),
    6,
  ),
  max_unanswered: defaulted(
    Type.Integer({ minimum: 1, maximum: 10, description: 'Messages since the contact last wrote.' }),
    2,
  ),
  reply_delay: defaulted(
    Type.Integer({
      minimum: 0,
      maximum: 3600,
      description: 'Seconds that it waits, so that several messages in a row get one response.',
    }),
    8,
  ),
  stop_on_human_message: defaulted(
    Type.Boolean({ description: 'Whether a message of a person pauses the AI for the contact.' }),
    true,
  ),
  handoff: defaulted(Handoff, {}),
  version: readOnly(Type.Integer({ description: 'Counts changes.' }), 1),
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

/** Whether it does anything at all. */
export const isOn = ({ enabled, mode, deleted_at }: Persona): boolean =>
  enabled && mode !== 'off' && deleted_at === null
