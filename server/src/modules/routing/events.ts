import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

/** Audit events: they stay inside the server. */

export const RoutingRulesChanged = event('routing_rules.changed', {
  scope: null,
  summary: 'The routing rules were changed',
  subject: 'routing_rules',
  data: Type.Object({ id: Type.String(), version: Type.Integer() }),
  example: { id: 'cmi8h0x2d0003m5n7b9v1c3x5', version: 12 },
})
