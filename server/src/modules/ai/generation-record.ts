import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

/** The possible outcomes of a proposal. */
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
      description: '`reply`, `handoff`, or `none`; `summary` for a call. More values may be added.',
    }),
    text: masked('text', Type.String({ description: 'The text without the disclosure, which Gable adds.' })),
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
          'What the contact said about their search, in the words of the model. `financing` and `appointment` apply to calls.',
      },
    ),
  },
  {
    description:
      'Null if the model wrote nothing usable, and after the contact is erased. For a call, also null without `calls:read`, and if no contact has the number.',
  },
)

/** One request to a model to write to a contact or to summarize a call. */
export const GenerationShown = Type.Object(
  {
    id: Type.String(),
    contact_id: nullable(Type.String({ description: 'Null for a call without a contact.' })),
    call_id: nullable(Type.String({ description: 'The call to summarize.' })),
    conversation_id: nullable(Type.String({ description: 'Null before the first message.' })),
    last_message_id: nullable(Type.String({ description: 'The last message when the model was asked.' })),
    persona_id: nullable(Type.String({ description: 'The persona. Null for a call.' })),
    persona_version: nullable(Type.Integer({ description: 'The version of the persona at that time.' })),
    model: Type.String(),
    prompt_digest: Type.String({ description: 'SHA-256 of everything the model was given, in hex.' }),
    review_digest: nullable(
      Type.String({
        description:
          'SHA-256 of everything the model was given for its second look. Null if there was no second look.',
      }),
    ),
    prompt_tokens: Type.Integer({ description: 'Tokens read by the model, including the second look.' }),
    completion_tokens: Type.Integer({ description: 'Tokens written by the model.' }),
    price: nullable(Type.Number({ description: 'In US dollars. Null until the model responds.' })),
    proposal: nullable(Proposed),
    checks: Type.Array(Type.String(), {
      description:
        'Codes of the rules that forbid the text, and `second_look_passed`, `second_look_raised`, or `second_look_failed`. More values may be added.',
    }),
    decision: nullable(
      Type.Enum(generationDecisions, {
        title: 'GenerationDecision',
        description:
          'Null until the model responds. `dropped`: by a person; `withdrawn`: by Gable, because of a newer proposal, after 24 hours, or because the contact opted out; `saved`: the summary of a call. More values may be added.',
      }),
    ),
    reason: nullable(
      Type.String({
        description:
          'Why the AI handed off, as in `ai.handed_off`, or why its message was blocked or failed, as in the message. `no_conversation`: there was no conversation for a suggestion.',
      }),
    ),
    message_id: nullable(Type.String({ description: 'The message created from the proposal.' })),
    decided_by: nullable(
      Type.Object(
        { type: Type.String(), id: nullable(Type.String()) },
        { description: 'Who sent, edited, dropped, or withdrew what the AI wrote.' },
      ),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Generation' },
)
export type GenerationShown = Static<typeof GenerationShown>
