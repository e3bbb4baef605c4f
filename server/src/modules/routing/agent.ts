import { type Static, type TSchema, Type } from 'typebox'
import { timePattern, weekdays } from '#kernel/conditions/hours.ts'
import { masked } from '#kernel/masking/masked.ts'
import { extendRecord } from '#kernel/records/extend.ts'
import { patchOnly, readOnly, zoneName } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { timezoneIssues } from '#kernel/timezones.ts'
import { type Role, roles, toManagers } from '../workspaces/public.ts'

const Time = Type.String({ pattern: timePattern, description: 'HH:MM.' })

export const Shift = Type.Object(
  {
    days: Type.Array(Type.Enum(weekdays, { title: 'Weekday' }), { minItems: 1, maxItems: 7 }),
    from: Time,
    to: Time,
  },
  { additionalProperties: false },
)

const Shifts = Type.Array(Shift, {
  maxItems: 50,
  description:
    'The local hours during which the agent takes leads. If `to` is before `from`, it is on the next day; equal times mean a whole day. An empty list means any hour.',
})

/** Hides a value that would reveal whether the sender of a captured lead was known. */
const withheld = <T extends TSchema>(schema: T) => masked('hidden', toManagers(schema))

const shifts: Static<typeof Shifts> = [{ days: ['mon', 'tue', 'wed'], from: '09:00', to: '17:30' }]

/** A member as a receiver of leads: when they take new ones, and how many they have. Has the member's id. */
export const agents = defineRecord('Agent', {
  fields: {
    name: readOnly(Type.String(), ''),
    role: readOnly(Type.Unsafe<Role>({ type: 'string', enum: [...roles] }), 'agent'),
    active: readOnly(Type.Boolean({ description: 'Inactive members get no leads.' }), true),
    paused: patchOnly(
      Type.Boolean({ description: 'Paused agents keep their leads but get no new ones.' }),
      false,
    ),
    paused_until: patchOnly(
      nullable(
        Type.String({ ...Timestamp, description: 'When the pause ends. `null` for a pause without an end.' }),
      ),
      null,
    ),
    timezone: patchOnly(
      nullable(
        zoneName('IANA name, such as `America/Chicago`. `null` for the time zone of the routing rules.'),
      ),
      null,
    ),
    shifts: patchOnly(Shifts, []),
    open_leads: readOnly(withheld(Type.Integer({ description: 'Assigned leads that are not closed.' })), 0),
    last_assigned_at: readOnly(
      withheld(Type.String({ ...Timestamp, description: 'When the last lead was assigned.' })),
      null,
    ),
  },
  example: {},
  shownExample: {
    name: 'Ada Reyes',
    shifts,
    open_leads: 12,
    last_assigned_at: '2026-11-20T20:11:04.817Z',
  },
  patchExample: { paused: true, paused_until: '2056-07-01T08:00:00.000Z' },
  check: ({ paused, paused_until, timezone }) => [
    ...(paused_until !== null && !paused ? [{ path: 'paused_until', message: 'requires `paused`' }] : []),
    ...timezoneIssues(timezone, 'timezone'),
  ],
})
export type AgentRow = Static<typeof agents.Row>

export const ShownAgent = extendRecord('Agent', agents, { shifts: toManagers(Shifts) }, { shifts })

/** The agent at this time, without a pause that has expired. */
export const agentAt = (row: AgentRow, at: Date): AgentRow =>
  row.paused_until !== null && row.paused_until <= at.toISOString()
    ? { ...row, paused: false, paused_until: null }
    : row
