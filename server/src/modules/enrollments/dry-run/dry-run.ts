import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { freeText, reference, text } from '#kernel/records/fields.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { automationFields, stepNames } from '../../automations/public.ts'
import { EnrollmentContext, StepRow } from '../enrollment.ts'

/** An event that is assumed to happen during the dry run. */
const Assumption = Type.Object(
  {
    at: Timestamp,
    event: text(80, 'The name of the event, such as `message.received`.'),
    data: Type.Optional(
      masked(
        'text',
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'What the conditions of `wait_for` test as `event.`. Empty by default.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
)

export const DryRunRequest = Type.Object(
  {
    contact_id: reference('contact', 'The contact to simulate.'),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description:
          'A published version. By default the newest one, or the draft if no version has been published.',
      }),
    ),
    definition: Type.Optional(automationFields.definition.schema),
    at: Type.Optional({
      ...Timestamp,
      description: 'When the dry run starts, up to 5 years from now. Now by default.',
    } as typeof Timestamp),
    trigger: Type.Optional(
      Type.Object(
        {
          event: text(80, 'The name of the event, such as `lead.created`.'),
          data: Type.Optional(
            masked(
              'text',
              Type.Record(Type.String(), Type.Unknown(), {
                description:
                  'The data of the event, which conditions test as `trigger.`. Its `id` names the record of the event, such as the deal.',
              }),
            ),
          ),
        },
        {
          additionalProperties: false,
          description: 'The event that starts the automation. None by default.',
        },
      ),
    ),
    context: Type.Optional(EnrollmentContext),
    assume: Type.Optional(
      Type.Array(Assumption, {
        maxItems: 100,
        description: 'Events of the contact to assume during the dry run.',
      }),
    ),
  },
  {
    title: 'DryRunRequest',
    additionalProperties: false,
    examples: [
      { contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y' },
      {
        contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
        trigger: { event: 'appointment.booked', data: { id: 'cmi8g9n4c0002t6w1q3y5k8m0', type: 'showing' } },
        assume: [{ at: '2026-11-23T18:00:00.000Z', event: 'message.received' }],
      },
    ],
  },
)
export type DryRunRequest = Static<typeof DryRunRequest>

const DryStep = Type.Object({
  step_key: Type.String(),
  type: Type.Enum(stepNames, { title: 'StepType' }),
  at: Timestamp,
  outcome: StepRow.properties.outcome,
  reason: nullable(
    Type.String({
      description:
        'The reason, as in the history of an enrollment. `assumed`: the outcome depends on others.',
    }),
  ),
  verdict: Type.Union(
    [
      Type.Object({
        allowed: Type.Boolean(),
        reason: nullable(Type.String()),
        retry_at: nullable(Timestamp),
      }),
      Type.Null(),
    ],
    {
      description:
        'For a message: whether it may be sent at that time. Messages of this dry run do not count toward limits.',
    },
  ),
  message: Type.Union(
    [
      Type.Object({
        channel: Type.Enum(['sms', 'email']),
        subject: nullable(freeText(1000)),
        body: freeText(10_000),
      }),
      Type.Null(),
    ],
    { description: 'For a message: its content. Null without `contacts:read`.' },
  ),
})
export type DryStep = Static<typeof DryStep>

export const DryRun = Type.Object(
  {
    automation_id: Type.String(),
    version: nullable(Type.Integer({ description: 'Null for a draft, or for a definition in the request.' })),
    contact_id: Type.String(),
    steps: Type.Array(DryStep, { description: 'What would happen, in order.' }),
    status: Type.Enum(['completed', 'exited', 'unfinished'], {
      description: '`unfinished`: the dry run stopped after 1,000 entries or 5 years.',
    }),
    reason: nullable(Type.String({ description: 'Why the contact would exit, or why the dry run stopped.' })),
    ended_at: Timestamp,
  },
  {
    title: 'DryRun',
    examples: [
      {
        automation_id: 'cmi8g5r8h0001n4t6w2q9y3k7',
        version: 3,
        contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
        steps: [
          {
            step_key: 'hello',
            type: 'send',
            at: '2026-11-20T20:11:04.817Z',
            outcome: 'done',
            reason: null,
            verdict: { allowed: true, reason: null, retry_at: null },
            message: { channel: 'sms', subject: null, body: 'Hi Ada, when is a good time to talk?' },
          },
        ],
        status: 'completed',
        reason: null,
        ended_at: '2026-11-20T20:11:04.817Z',
      },
    ],
  },
)
export type DryRun = Static<typeof DryRun>
