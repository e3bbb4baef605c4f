import { type Static, Type } from 'typebox'
import { reference } from '#kernel/records/fields.ts'
import { exampleVerdict, verdictMembers } from '../messages/public.ts'

export const CallDraft = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        minLength: 5,
        maxLength: 32,
        description:
          "A phone number. Required unless `contact_id` is set. With `contact_id`, it may be the masked number that the contact shows; if you omit it, Gable calls the contact's number.",
      }),
    ),
    contact_id: Type.Optional(reference('contact', 'The contact to call.')),
    member_id: Type.Optional(
      reference(
        'member',
        'The member who talks. Gable calls their phone first, then connects them. If you omit it, the AI talks.',
      ),
    ),
    persona_id: Type.Optional(
      reference(
        'persona',
        'The AI persona that talks. The call begins with its disclosure. The persona must be on. Cannot be combined with `member_id`.',
      ),
    ),
    connection_id: Type.Optional(
      reference(
        'voice_connection',
        'The connection whose AI agent talks. By default the first one, or else the simulated one. Cannot be combined with `member_id`.',
      ),
    ),
    from: Type.Optional(
      Type.String({
        maxLength: 254,
        description:
          'A number of the workspace, by ID or number. By default the number that texts come from.',
        'x-references': 'sender',
      }),
    ),
    when_blocked: Type.Optional(
      Type.Enum(['refuse', 'schedule'], {
        description:
          '`schedule` keeps a call that only the hours forbid, and judges it again when the hours begin.',
      }),
    ),
  },
  {
    title: 'CallDraft',
    additionalProperties: false,
    examples: [{ to: '+13125550177', when_blocked: 'schedule' }],
  },
)
export type CallDraft = Static<typeof CallDraft>

export const CallPreflight = Type.Object(verdictMembers, {
  title: 'CallPreflight',
  examples: [exampleVerdict],
})
