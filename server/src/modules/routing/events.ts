import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

/** Audit events, which stay inside the server. */

export const RoutingRulesChanged = event('routing_rules.changed', {
  scope: null,
  summary: 'The routing rules were changed',
  subject: 'routing_rules',
  data: Type.Object({ id: Type.String(), version: Type.Integer() }),
  example: { id: 'cmi8h0x2d0003m5n7b9v1c3x5', version: 12 },
})

export const MemberAvailabilityChanged = event('member.availability_changed', {
  scope: null,
  summary: 'When a member takes leads was changed',
  subject: 'member',
  data: Type.Object({
    id: Type.String(),
    changes: Type.Array(Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
  }),
  example: {
    id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    changes: [{ field: 'paused', from: false, to: true }],
  },
})
