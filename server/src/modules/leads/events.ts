import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'

const id = Type.String()
const contact_id = nullable(Type.String({ description: 'Null for a lead that belongs to no contact.' }))
const example = { id: 'cmi8h3b7q0002x5n9d1f6k8s4', contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y' }

export const LeadCreated = event('lead.created', {
  scope: 'leads:read',
  summary: 'A lead was captured, from whatever source',
  subject: 'lead',
  data: Type.Object({
    id,
    contact_id,
    lead: Type.Optional(
      Type.Object(
        {
          first_name: nullable(Type.String()),
          last_name: nullable(Type.String()),
          email: nullable(Type.String({ description: 'Masked.' })),
          phone: nullable(Type.String({ description: 'Masked.' })),
          source: Type.String(),
          source_ref: nullable(Type.String({ description: 'How the source itself calls the lead.' })),
        },
        { description: 'As it was captured.' },
      ),
    ),
  }),
  example: {
    ...example,
    lead: {
      first_name: 'Ada',
      last_name: 'Reyes',
      email: 'a***@reyes.example',
      phone: '+1******0123',
      source: 'Open house',
      source_ref: 'visitor-book-17',
    },
  },
  personal: ['lead'],
  timelineOf: (data) => data.contact_id,
  entry: () => ({ type: 'lead', title: 'Lead captured' }),
})

export const LeadAssigned = event('lead.assigned', {
  scope: 'leads:read',
  summary: 'A lead was given to an agent, by a routing rule or by name',
  subject: 'lead',
  data: Type.Object({
    id,
    contact_id,
    assignee_id: Type.String({ description: 'The member whose lead it is now.' }),
    previous_assignee_id: nullable(Type.String({ description: "Null when it was nobody's before." })),
    routing: Type.Object({
      decision_id: Type.String({ description: 'The recorded decision that led to this.' }),
      rule_id: nullable(Type.String({ description: 'The rule that matched; null when none had a say.' })),
      method: nullable(
        Type.String({ description: 'How the rule chose, such as `round_robin`; null when none had a say.' }),
      ),
    }),
  }),
  example: {
    ...example,
    assignee_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    previous_assignee_id: null,
    routing: {
      decision_id: 'cmi8h3b8a0003u6c2m9p4v7e1',
      rule_id: 'cmi8h0x2d0001r3t7y5h8b6n2',
      method: 'round_robin',
    },
  },
  personal: [],
  timelineOf: (data) => data.contact_id,
  entry: ({ assignee_id, previous_assignee_id }) => ({
    type: 'assignment',
    title: previous_assignee_id === null ? 'Lead assigned' : 'Lead reassigned',
    changes: [{ field: 'assignee_id', from: previous_assignee_id, to: assignee_id }],
  }),
})
