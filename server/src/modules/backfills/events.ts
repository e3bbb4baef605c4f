import { Type } from 'typebox'
import { Changed, auditEvent } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'
import { backfillRecord } from './backfill.ts'

const { data, example } = backfillRecord.part(['id', 'automation_id', 'per_hour', 'status'])

export const BackfillCreated = auditEvent(
  'backfill.created',
  'backfill',
  'A backfill of an automation was created',
  data,
  example,
)

export const BackfillUpdated = auditEvent(
  'backfill.updated',
  'backfill',
  'The pace or the start of a backfill was changed',
  Type.Object({ ...data.properties, changed: Changed }),
  { ...example, changed: ['per_hour'] },
)

export const BackfillStatusChanged = auditEvent(
  'backfill.status_changed',
  'backfill',
  'A backfill started, or was paused, resumed, completed, or cancelled',
  Type.Object({ ...data.properties, reason: nullable(Type.String()) }),
  { ...example, reason: null },
)
