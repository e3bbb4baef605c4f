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
          'A phone number. Required, or `contact_id`. With `contact_id`, it may be the masked number as the contact shows it; left out, the number of the contact is called.',
      }),
    ),
    contact_id: Type.Optional(reference('contact', 'Whom to call.')),
    member_id: Type.Optional(
      reference(
        'member',
        'The member who talks. Their phone rings first, then they are connected. Left out, the AI talks.',
      ),
    ),
    persona_id: Type.Optional(
      reference(
        'persona',
        'The persona of the AI that talks: the call begins with its disclosure. It has to be on. Excludes `member_id`.',
      ),
    ),
    connection_id: Type.Optional(
      reference(
        'voice_connection',
        'The connection whose AI agent talks. By default the first one, or else the simulated one. Excludes `member_id`.',
      ),
    ),
    from: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'A number of the workspace, by ID or number. By default the one that texts come from.',
        'x-references': 'sender',
      }),
    ),
    when_blocked: Type.Optional(
      Type.Enum(['refuse', 'schedule'], {
        description:
          '`schedule` keeps a call that nothing but the hours forbids, and judges it again when they begin.',
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
