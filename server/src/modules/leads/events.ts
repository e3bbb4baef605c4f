import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'
import { statuses } from './lead.ts'

const id = Type.String()
const contact_id = nullable(Type.String({ description: 'Null for a lead that belongs to no contact.' }))
const example = { id: 'cmi8h3b7q0002x5n9d1f6k8s4', contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y' }

const routing = Type.Object({
  decision_id: Type.String({ description: 'The recorded decision that led to this.' }),
  rule_id: nullable(Type.String({ description: 'The rule that matched; null when none had a say.' })),
  method: nullable(
    Type.String({
      description:
        'How it came about: what the rule does, such as `round_robin`, or `manual` or `claim`; null when nothing worked.',
    }),
  ),
})
const exampleRouting = {
  decision_id: 'cmi8h3b8a0003u6c2m9p4v7e1',
  rule_id: 'cmi8h0x2d0001r3t7y5h8b6n2',
  method: 'round_robin',
}

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
  summary: 'A lead was given to an agent, by a routing rule, by name or by a claim',
  subject: 'lead',
  data: Type.Object({
    id,
    contact_id,
    assignee_id: Type.String({ description: 'The member whose lead it is now.' }),
    previous_assignee_id: nullable(Type.String({ description: "Null when it was nobody's before." })),
    routing,
  }),
  example: {
    ...example,
    assignee_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    previous_assignee_id: null,
    routing: exampleRouting,
  },
  personal: [],
  timelineOf: (data) => data.contact_id,
  entry: ({ assignee_id, previous_assignee_id }) => ({
    type: 'assignment',
    title: previous_assignee_id === null ? 'Lead assigned' : 'Lead reassigned',
    changes: [{ field: 'assignee_id', from: previous_assignee_id, to: assignee_id }],
  }),
})

export const LeadOffered = event('lead.offered', {
  scope: 'leads:read',
  summary: 'A lead may be claimed by some agents, for a time or until one does',
  subject: 'lead',
  data: Type.Object({
    id,
    contact_id,
    offered_to: Type.Array(Type.String(), { description: 'The members who may claim it.' }),
    offered_until: nullable(Type.String({ description: 'When a claim comes too late; null for never.' })),
    routing,
  }),
  example: {
    ...example,
    offered_to: ['cmi8h2k5p0000y7w2d5g8j1m4'],
    offered_until: '2026-11-20T20:16:04.817Z',
    routing: { ...exampleRouting, method: 'first_to_claim' },
  },
  personal: [],
  timelineOf: (data) => data.contact_id,
  entry: ({ offered_to: { length } }) => ({
    type: 'assignment',
    title: `Lead offered to ${length} ${length === 1 ? 'agent' : 'agents'}`,
  }),
})

export const LeadWaiting = event('lead.waiting', {
  scope: 'leads:read',
  summary: 'Nobody could be given a lead yet',
  subject: 'lead',
  data: Type.Object({
    id,
    contact_id,
    waits_for: Type.Enum(['agent', 'hours'], {
      description: 'An agent who is eligible, or the hours of the rule.',
    }),
    until: nullable(Type.String({ description: 'When the hours begin.' })),
    routing,
  }),
  example: { ...example, waits_for: 'agent', until: null, routing: { ...exampleRouting, method: null } },
  personal: [],
  timelineOf: (data) => data.contact_id,
  entry: ({ waits_for }) => ({
    type: 'assignment',
    title: waits_for === 'agent' ? 'Lead waits for an agent' : 'Lead waits for working hours',
  }),
})

export const LeadStatusChanged = event('lead.status_changed', {
  scope: 'leads:read',
  summary: 'A lead was contacted, converted or disqualified',
  subject: 'lead',
  data: Type.Object({ id, contact_id, from: Type.Enum(statuses), to: Type.Enum(statuses) }),
  example: { ...example, from: 'assigned', to: 'contacted' },
  personal: [],
  timelineOf: (data) => data.contact_id,
  entry: ({ from, to }) => ({
    type: 'lead',
    title: `Lead ${to}`,
    changes: [{ field: 'status', from, to }],
  }),
})

export const ConsentRevoked = event('lead.consent_revoked', {
  scope: 'leads:read',
  summary: 'A person took back the consent that came with a lead',
  subject: 'lead',
  data: Type.Object({ id, contact_id }),
  example,
  personal: [],
  timelineOf: (data) => data.contact_id,
  entry: () => ({ type: 'consent', title: 'Consent revoked' }),
})
