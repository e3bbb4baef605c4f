import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

/** What became of a proposal. */
export const generationDecisions = [
  'suggested',
  'pending',
  'queued',
  'blocked',
  'handed_off',
  'nothing',
  'outdated',
  'sent_by_person',
  'edited',
  'dropped',
  'withdrawn',
  'failed',
  'saved',
] as const

const Proposed = Type.Object(
  {
    action: Type.String({
      description: '`reply`, `handoff` or `none`; `summary` of a call. More values may be added.',
    }),
    text: masked('text', Type.String({ description: 'Without the disclosure, which Gable adds.' })),
    disposition: nullable(
      Type.String({
        description: 'What the contact wants, such as `appointment_requested`. More values may be added.',
      }),
    ),
    extracted: Type.Object(
      {
        timeframe: nullable(masked('text', Type.String())),
        area: nullable(masked('text', Type.String())),
        budget: nullable(masked('text', Type.String())),
        financing: nullable(masked('text', Type.String())),
        appointment: nullable(masked('text', Type.String())),
      },
      {
        description:
          'What the contact said of their search, in the words of the model. `financing` and `appointment` are those of calls.',
      },
    ),
  },
  {
    description:
      'Null where the model wrote nothing that fits, and once the contact is erased. Of a call, also without `calls:read`, and where no contact has its number.',
  },
)

/** One time that a model was asked to write to a contact, or to sum up a call. */
export const GenerationShown = Type.Object(
  {
    id: Type.String(),
    contact_id: nullable(Type.String({ description: 'Null for a call with no contact.' })),
    call_id: nullable(Type.String({ description: 'The call that was to be summed up.' })),
    conversation_id: nullable(Type.String({ description: 'Null before the first message.' })),
    last_message_id: nullable(Type.String({ description: 'The last message when the model was asked.' })),
    persona_id: nullable(Type.String({ description: 'Null for a call.' })),
    persona_version: nullable(Type.Integer({ description: 'Of the persona, as it was then.' })),
    model: Type.String(),
    prompt_digest: Type.String({ description: 'SHA-256 of all that the model was given, in hex.' }),
    review_digest: nullable(
      Type.String({ description: 'The same of the second look. Null where there was none.' }),
    ),
    prompt_tokens: Type.Integer({ description: 'Read by the model, the second look included.' }),
    completion_tokens: Type.Integer({ description: 'Written by the model.' }),
    price: nullable(Type.Number({ description: 'In US dollars. Null while the model is asked.' })),
    proposal: nullable(Proposed),
    checks: Type.Array(Type.String(), {
      description:
        'Codes of what forbids the text, and `second_look_passed`, `second_look_raised` or `second_look_failed`. More values may be added.',
    }),
    decision: nullable(
      Type.Enum(generationDecisions, {
        description:
          'Null while the model is asked. `dropped` by a person; `withdrawn` by Gable, for a newer proposal, after 24 hours, or because the contact opted out. `saved`: the summary of a call. More values may be added.',
      }),
    ),
    reason: nullable(
      Type.String({
        description:
          'Why it was handed off, as in `ai.handed_off`, or its message blocked or failed, as that has it. `no_conversation`: there was none to keep a suggestion on.',
      }),
    ),
    message_id: nullable(Type.String({ description: 'The message that was made of it.' })),
    decided_by: nullable(
      Type.Object(
        { type: Type.String(), id: nullable(Type.String()) },
        { description: 'Who sent, edited, dropped or withdrew what the AI wrote.' },
      ),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Generation' },
)
export type GenerationShown = Static<typeof GenerationShown>
