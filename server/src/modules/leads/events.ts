import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'
import { leadRecord, statuses } from './lead.ts'

const id = Type.String()
const example = { id: 'cmi8h3b7q0002x5n9d1f6k8s4' }

/** These events leave the workspace, so their data omits the contact: it would reveal whether the sender was known. */
const timelineOf = () => null

const routing = Type.Object({
  decision_id: Type.String({ description: 'The routing decision behind the assignment.' }),
  rule_id: nullable(Type.String({ description: 'The rule that matched. Null if no rule did.' })),
  method: nullable(
    Type.String({
      description:
        'How the decision was made: the method of the rule, such as `round_robin`, or `manual` or `claim`. Null if no method found a member.',
    }),
  ),
})
const exampleRouting = {
  decision_id: 'cmi8h3b8a0003u6c2m9p4v7e1',
  rule_id: 'cmi8h0x2d0001r3t7y5h8b6n2',
  method: 'round_robin',
}

const lead = leadRecord.part(
  ['first_name', 'last_name', 'email', 'phone', 'phone_extension', 'source', 'source_ref'],
  {
    description: 'The lead when it was captured.',
  },
)

export const LeadCreated = event('lead.created', {
  scope: 'leads:read',
  summary: 'A lead was captured from any source',
  subject: 'lead',
  data: Type.Object({ id, lead: Type.Optional(lead.data) }),
  example: { ...example, lead: lead.example },
  personal: ['lead'],
  timelineOf,
  entry: () => ({ type: 'lead', title: 'Lead captured' }),
})

export const LeadAssigned = event('lead.assigned', {
  scope: 'leads:read',
  summary: 'A lead was assigned to an agent by a routing rule, by a person, or by a claim',
  subject: 'lead',
  data: Type.Object({
    id,
    assignee_id: Type.String({ description: 'The member to whom the lead is now assigned.' }),
    previous_assignee_id: nullable(Type.String({ description: 'Null if the lead was not assigned before.' })),
    routing,
  }),
  example: {
    ...example,
    assignee_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    previous_assignee_id: null,
    routing: exampleRouting,
  },
  personal: [],
  timelineOf,
  entry: ({ assignee_id, previous_assignee_id }) => ({
    type: 'assignment',
    title: previous_assignee_id === null ? 'Lead assigned' : 'Lead reassigned',
    changes: [{ field: 'assignee_id', from: previous_assignee_id, to: assignee_id }],
  }),
})

export const LeadOffered = event('lead.offered', {
  scope: 'leads:read',
  summary: 'A lead was offered to agents to claim',
  subject: 'lead',
  data: Type.Object({
    id,
    offered_to: Type.Array(Type.String(), { description: 'The members who may claim it.' }),
    offered_until: nullable(Type.String({ description: 'When the offer ends. Null if it does not end.' })),
    routing,
  }),
  example: {
    ...example,
    offered_to: ['cmi8h2k5p0000y7w2d5g8j1m4'],
    offered_until: '2026-11-20T20:16:04.817Z',
    routing: { ...exampleRouting, method: 'first_to_claim' },
  },
  personal: [],
  timelineOf,
  entry: ({ offered_to: { length } }) => ({
    type: 'assignment',
    title: `Lead offered to ${length} ${length === 1 ? 'agent' : 'agents'}`,
  }),
})

export const LeadWaiting = event('lead.waiting', {
  scope: 'leads:read',
  summary: 'A lead is waiting to be assigned',
  subject: 'lead',
  data: Type.Object({
    id,
    waits_for: Type.Enum(['agent', 'hours'], {
      description: '`agent`: an eligible agent; `hours`: the hours of the rule.',
    }),
    until: nullable(Type.String({ description: 'When the hours of the rule begin.' })),
    routing,
  }),
  example: { ...example, waits_for: 'agent', until: null, routing: { ...exampleRouting, method: null } },
  personal: [],
  timelineOf,
  entry: ({ waits_for }) => ({
    type: 'assignment',
    title: waits_for === 'agent' ? 'Lead is waiting for an agent' : 'Lead is waiting for working hours',
  }),
})

export const LeadStatusChanged = event('lead.status_changed', {
  scope: 'leads:read',
  summary: 'A lead was contacted, converted, or disqualified',
  subject: 'lead',
  data: Type.Object({ id, from: Type.Enum(statuses), to: Type.Enum(statuses) }),
  example: { ...example, from: 'assigned', to: 'contacted' },
  personal: [],
  timelineOf,
  entry: ({ from, to }) => ({
    type: 'lead',
    title: `Lead ${to}`,
    changes: [{ field: 'status', from, to }],
  }),
})

export const ConsentRevoked = event('lead.consent_revoked', {
  scope: 'leads:read',
  summary: 'A person revoked the consent that came with a lead',
  subject: 'lead',
  data: Type.Object({ id }),
  example,
  personal: [],
  timelineOf,
  entry: () => ({ type: 'consent', title: 'Consent revoked' }),
})
