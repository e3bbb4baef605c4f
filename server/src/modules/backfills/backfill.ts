import { type Static, Type } from 'typebox'
import type { Condition } from '#kernel/conditions/condition.ts'
import { extendBody, extendRecord } from '#kernel/records/extend.ts'
import {
  type PatchOf,
  type RowOf,
  createOnly,
  createdBy,
  defaulted,
  internal,
  patchOnly,
  readOnly,
  required,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import type { channels } from '../senders/public.ts'

export const backfillStatuses = ['scheduled', 'running', 'paused', 'completed', 'cancelled'] as const

/** Conditions on contacts. `requireConditions` also checks what the schema cannot express. */
export const ContactConditions = Type.Unsafe<Condition>({
  type: 'object',
  description:
    'The contacts to include: conditions as in `GET /automations/schema` (`AutomationCondition`). `{"all": []}` selects every contact. Erased contacts and contacts in the stage `TRASH` are never included.',
})

const maxPerHour = 10_000
export const PerHour = Type.Integer({ minimum: 1, maximum: maxPerHour })
export const defaultPerHour = 200

const time = nullable(Timestamp)

const fields = {
  automation_id: readOnly(Type.String(), ''),
  conditions: createOnly(required(ContactConditions)),
  per_hour: defaulted(
    {
      ...PerHour,
      description: 'How many contacts to enroll per hour. They are spread evenly over the hour.',
    },
    defaultPerHour,
  ),
  status: patchOnly(Type.Enum(backfillStatuses, { title: 'BackfillStatus' }), 'running'),
  reason: readOnly(
    nullable(
      Type.String({
        description: 'Why the backfill paused, if no one paused it, such as `automation_disabled`.',
      }),
    ),
    null,
  ),
  reach: internal(nullable(Type.Array(Type.String())), null),
  channel: internal(Type.Unsafe<(typeof channels)[number] | null>({}), null),
  scanned_to: internal(nullable(Type.String()), null),
  frozen_at: readOnly(
    nullable(
      Type.Unsafe<string>({
        ...Timestamp,
        description:
          'When counting the contacts finished. Null while Gable is still counting; until then the counts grow.',
      }),
    ),
    null,
  ),
  next_at: internal(time, null),
  started_at: readOnly(time, null),
  ended_at: readOnly(time, null),
  created_by: createdBy(),
}

export const backfillRecord = defineRecord('Backfill', {
  fields,
  example: {
    conditions: { field: 'contact.stage', operator: 'eq', value: 'PAST_CLIENT' },
    per_hour: 60,
  },
  patchExample: { per_hour: 120 },
  shownExample: {
    automation_id: 'cmi8g5r8h0001n4t6w2q9y3k7',
    frozen_at: '2026-11-20T20:11:06.020Z',
    started_at: '2026-11-20T20:11:04.817Z',
  },
})
export const BackfillDraft = extendBody(backfillRecord.Draft, {
  status: Type.Enum(['running', 'paused'], {
    description:
      '`paused`: Gable counts the contacts, and enrolls no one until the status is `running`. `running` by default.',
  }),
})
export type Backfill = RowOf<typeof fields>
export type BackfillPatch = PatchOf<typeof fields>

const count = (description: string) => Type.Integer({ description })

export const BackfillCounts = Type.Object({
  waiting: count('Contacts who have not been enrolled yet.'),
  entered: count('Contacts who have been enrolled.'),
  left_out: Type.Record(Type.String(), Type.Integer(), {
    description:
      'Contacts who could not be enrolled, by reason: `active`, `group`, `re_enrollment`, `erased`, `trash`, `cancelled`, `error`. More reasons may be added.',
  }),
})
export type BackfillCounts = Static<typeof BackfillCounts>

export const ShownBackfill = extendRecord(
  'BackfillProgress',
  backfillRecord,
  { counts: BackfillCounts },
  { counts: { waiting: 1180, entered: 60, left_out: { active: 2 } } },
)

/** The backfill for a response. */
export const presentBackfill = (
  { reach: _, channel: __, scanned_to: ___, next_at: ____, ...shown }: Backfill,
  counts: BackfillCounts,
) => ({ ...shown, counts })

/** Milliseconds between two contacts at the pace of the backfill. */
export const turnMs = ({ per_hour }: Pick<Backfill, 'per_hour'>): number => Math.ceil(3_600_000 / per_hour)

export const decisions = ['waiting', 'entered', 'left_out'] as const

export const BackfillContactRow = Type.Object(
  {
    id: Type.String(),
    contact_id: Type.String(),
    status: Type.Enum(decisions),
    reason: nullable(Type.String({ description: 'Why the contact was left out.' })),
    created_at: Timestamp,
    enrollment_id: nullable(Type.String()),
    due_at: nullable(
      Type.Unsafe<string>({
        ...Timestamp,
        description: 'The earliest time at which a waiting contact is enrolled.',
      }),
    ),
    decided_at: nullable(
      Type.Unsafe<string>({ ...Timestamp, description: 'When the contact was enrolled or left out.' }),
    ),
  },
  { title: 'BackfillContact' },
)
export type BackfillContact = Static<typeof BackfillContactRow>

/** The backfill, unless it belongs to a campaign. Those are shown and changed only through their campaign. */
export const ofOwn = (backfill: Backfill | undefined): Backfill | undefined =>
  backfill?.channel === null ? backfill : undefined
