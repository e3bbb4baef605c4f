import { Type } from 'typebox'
import { auditEvent } from '#kernel/events/event.ts'

const Id = Type.Object({ id: Type.String() })
const example = { id: 'cmi8h2k5p0000y7w2d5g8j1m4' }

export const CalendarConnected = auditEvent(
  'calendar.connected',
  'member',
  'A member connected their calendar',
  Type.Object({ id: Type.String(), host: Type.String() }),
  { ...example, host: 'caldav.example.com' },
)

export const CalendarDisconnected = auditEvent(
  'calendar.disconnected',
  'member',
  'A member disconnected their calendar',
  Id,
  example,
)

export const CalendarFeedCreated = auditEvent(
  'calendar.feed_created',
  'member',
  "The address of a member's calendar was created or replaced",
  Id,
  example,
)

export const CalendarFeedRemoved = auditEvent(
  'calendar.feed_removed',
  'member',
  "The address of a member's calendar was removed",
  Id,
  example,
)
