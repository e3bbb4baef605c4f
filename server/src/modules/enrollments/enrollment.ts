import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { extendRecord } from '#kernel/records/extend.ts'
import { type RowOf, internal, patchOnly, readOnly } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

const activeStatuses = ['queued', 'running', 'paused'] as const
export const endings = ['completed', 'exited', 'failed', 'cancelled'] as const
export const enrollmentStatuses = [...activeStatuses, ...endings] as const

/** What a bulk change does to enrollments. */
export const changeActions = ['pause', 'resume', 'cancel', 'migrate'] as const

/** The reason of enrollments that are paused because their campaign is. */
export const pausedByRun = 'campaign_paused'

/** The reason of enrollments that were paused or cancelled because their automation was disabled. */
export const pausedByDisabling = 'automation_disabled'

const sources = ['trigger', 'api', 'member', 'automation', 'backfill', 'campaign'] as const

const WaitingFor = Type.Object(
  {
    kind: Type.Enum(['wait', 'date', 'event', 'hours', 'message', 'response'], {
      title: 'WaitKind',
      description:
        'What it waits for. `wait`: the end of a period; `date`: a date of an appointment or a deal; `event`: one of several events; `hours`: the hours in which a message may be sent; `message`: a message to be sent; `response`: a response from the webhook or the AI.',
    }),
    until: Type.Unsafe<string | null>({
      ...Timestamp,
      type: ['string', 'null'],
      description: 'The latest time at which it continues.',
    }),
    since: Type.Optional({ ...Timestamp, description: 'When the wait started.' } as typeof Timestamp),
    reason: Type.Optional(Type.String({ description: 'Why the message may not be sent yet.' })),
    refs: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        description: 'IDs of the records it waits for, by name.',
      }),
    ),
    events: Type.Optional(Type.Array(Type.String(), { description: 'Names of the events it waits for.' })),
    attempts: Type.Optional(
      Type.Integer({
        description: 'How many attempts to get the response have failed. Gable makes at most four.',
      }),
    ),
    failure: Type.Optional(
      Type.String({
        description: 'Why the last attempt failed, such as `status 503` or `connection refused`.',
      }),
    ),
    retry_at: Type.Optional({ ...Timestamp, description: 'When Gable tries again.' } as typeof Timestamp),
    response: Type.Optional(
      Type.Object(
        {
          outcome: Type.Enum(['done', 'skipped', 'blocked', 'failed'], { title: 'ResponseOutcome' }),
          reason: nullable(Type.String()),
          refs: Type.Record(Type.String(), Type.String()),
        },
        { description: 'What has arrived so far, until the enrollment continues.' },
      ),
    ),
  },
  { description: 'What the enrollment waits for.' },
)
export type WaitingFor = Static<typeof WaitingFor>
/** The response of a webhook or the AI to a step. */
export type OutsideResponse = NonNullable<WaitingFor['response']>

/** Data from the enrollment request. `requireContext` limits its size. */
export const EnrollmentContext = masked(
  'text',
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Data that conditions can test as `context.` and a path. At most 16 kB.',
  }),
)

const fields = {
  automation_id: readOnly(Type.String(), ''),
  version: readOnly(
    Type.Integer({ description: 'The version of the automation that this enrollment follows to the end.' }),
    0,
  ),
  contact_id: readOnly(Type.String(), ''),
  status: patchOnly(Type.Enum(enrollmentStatuses, { title: 'EnrollmentStatus' }), 'queued'),
  reason: readOnly(nullable(Type.String({ description: 'Why the enrollment ended or is paused.' })), null),
  source: readOnly(
    Type.Enum(sources, { title: 'EnrollmentSource', description: 'What enrolled the contact.' }),
    'api',
  ),
  event_id: readOnly(nullable(Type.String({ description: 'The event that enrolled the contact.' })), null),
  chain: internal(Type.Array(Type.String()), []),
  context: readOnly(
    masked(
      'text',
      Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        description: 'The context from the request. Null after an erasure.',
      }),
    ),
    null,
  ),
  group_name: internal(nullable(Type.String()), null),
  begins_at: internal(nullable(Timestamp), null),
  step_key: readOnly(
    nullable(Type.String({ description: 'The next step, or the step at which the enrollment waits.' })),
    null,
  ),
  waiting_for: readOnly(Type.Union([WaitingFor, Type.Null()]), null),
  seq: internal(Type.Integer(), 0),
  attempts: internal(Type.Integer(), 0),
  due_at: internal(nullable(Timestamp), null),
  planned_at: internal(nullable(Timestamp), null),
  paused_at: internal(nullable(Timestamp), null),
  started_at: readOnly(nullable(Timestamp), null),
  ended_at: readOnly(nullable(Timestamp), null),
}

export const enrollmentRecord = defineRecord('Enrollment', {
  fields,
  example: {},
  patchExample: { status: 'paused' },
  shownExample: {
    automation_id: 'cmi8g5r8h0001n4t6w2q9y3k7',
    version: 3,
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    step_key: 'hello',
  },
})
export type Enrollment = RowOf<typeof fields>

/** The enrollment for a response. */
export const presentEnrollment = ({
  chain: _,
  seq: __,
  attempts: ___,
  due_at: ____,
  paused_at: _____,
  group_name: ______,
  begins_at: _______,
  planned_at: ________,
  waiting_for,
  ...shown
}: Enrollment) => ({
  ...shown,
  waiting_for: waiting_for && shownWait(waiting_for, shown.status === 'paused'),
})

function shownWait({ retry_at, ...waiting }: WaitingFor, isPaused: boolean): WaitingFor {
  if (isPaused) return { ...waiting, until: null }
  return retry_at === undefined ? waiting : { ...waiting, retry_at }
}

export const isActive = ({ status }: Pick<Enrollment, 'status'>): boolean =>
  activeStatuses.some((one) => one === status)

/** The response to a request to enroll a contact. */
export const CreatedEnrollment = extendRecord(
  'CreatedEnrollment',
  enrollmentRecord,
  {
    created: Type.Boolean({
      description: 'False if the contact was already enrolled. This is the existing enrollment.',
    }),
  },
  { created: true },
)

export const StepRow = Type.Object({
  seq: Type.Integer(),
  step_key: Type.String(),
  type: Type.String(),
  planned_at: Type.String({ description: 'When it was due.' }),
  at: Type.String({ description: 'When it was done.' }),
  outcome: Type.Enum(['done', 'deferred', 'skipped', 'blocked', 'failed'], {
    title: 'StepOutcome',
    description:
      '`deferred`: a message may not be sent yet, and Gable tries again. `blocked`: a gate forbids it. `done`: for a message, it has been accepted.',
  }),
  reason: nullable(Type.String()),
  refs: Type.Unsafe<Record<string, string>>({
    type: 'object',
    description: 'IDs of the records that the step created or changed, by name.',
  }),
})
export type StepRecord = Static<typeof StepRow>

/** An enrollment with its history and its next step. */
export const EnrollmentDetails = extendRecord(
  'EnrollmentDetails',
  enrollmentRecord,
  {
    steps: Type.Array(StepRow, { description: 'What has happened, in order.' }),
    next: Type.Union([
      Type.Object(
        { key: Type.String(), type: Type.String(), at: nullable(Timestamp) },
        { description: 'The next step and its time, as far as they are known.' },
      ),
      Type.Null(),
    ]),
  },
  {
    steps: [],
    next: { key: 'hello', type: 'send', at: null },
  },
)
