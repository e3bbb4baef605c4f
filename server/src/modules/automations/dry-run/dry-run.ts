import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { freeText, reference, text } from '#kernel/records/fields.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { automationFields } from '../automation.ts'
import type { AutomationStep } from '../definition/definition.ts'
import { stepSchemas } from '../definition/step-schemas.ts'
import { EnrollmentContext, StepRow } from '../enrollment.ts'

/** What is assumed to happen meanwhile. */
const Assumption = Type.Object(
  {
    at: Timestamp,
    event: text(80, 'The name of an event, such as `message.received`.'),
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
    contact_id: reference('contact', 'Whom to take through it.'),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'A published version; the newest by default, or the draft where there is none.',
      }),
    ),
    definition: Type.Optional(automationFields.definition.schema),
    at: Type.Optional({
      ...Timestamp,
      description: 'When it begins, from now to 5 years from now. Now by default.',
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
                  'Its data, which conditions test as `trigger.`. Its `id` names the record that it is about, such as the deal.',
              }),
            ),
          ),
        },
        { additionalProperties: false, description: 'The event that starts it. By default none.' },
      ),
    ),
    context: Type.Optional(EnrollmentContext),
    assume: Type.Optional(
      Type.Array(Assumption, {
        maxItems: 100,
        description: 'Events of the contact that are taken to happen meanwhile.',
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
  type: Type.Enum(Object.keys(stepSchemas) as AutomationStep['type'][]),
  at: Timestamp,
  outcome: StepRow.properties.outcome,
  reason: nullable(
    Type.String({ description: 'Why, as in the history of an enrollment. `assumed`: it depends on others.' }),
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
    { description: 'Of a message: whether it may go then. It does not count the messages of the run.' },
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
    { description: 'Of a message: what it says. Null without `contacts:read`.' },
  ),
})
export type DryStep = Static<typeof DryStep>

export const DryRun = Type.Object(
  {
    automation_id: Type.String(),
    version: nullable(Type.Integer({ description: 'Null of a draft, or of a definition in the request.' })),
    contact_id: Type.String(),
    steps: Type.Array(DryStep, { description: 'What would be done, in order.' }),
    status: Type.Enum(['completed', 'exited', 'unfinished'], {
      description: '`unfinished`: after 1,000 entries or 5 years the dry run stops.',
    }),
    reason: nullable(Type.String({ description: 'Why it would exit, or why it stopped.' })),
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
