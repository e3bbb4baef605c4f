import type pg from 'pg'

export interface SeenEnrollment {
  id: string
  automation_id: string
  version: number
  contact_id: string
  status: string
  reason: string | null
  source: string
  event_id: string | null
  step_key: string | null
  seq: number
  due_at: string | null
  attempts: number
  waiting_for: {
    kind: string
    until: string | null
    refs?: Record<string, string>
    events?: string[]
    response?: { reason: string | null }
  } | null
  started_at: string | null
  ended_at: string | null
  context: object | null
  chain: string[]
}

export interface SeenStep {
  enrollment_id: string
  seq: number
  step_key: string
  type: string
  planned_at: string
  at: string
  outcome: string
  reason: string | null
  refs: Record<string, string>
}

export interface SeenMessage {
  id: string
  contact_id: string
  channel: string
  status: string
  source: string
  body: string
  decision: string | null
}

export interface SeenEvent {
  id: string
  name: string
  subject_id: string
  timeline_id: string | null
  data: Record<string, unknown>
}

export interface SeenContact {
  id: string
  stage: string
  tags: string[]
  owner_id: string | null
  erased_at: string | null
}

/** The committed state of a workspace, as far as automations read or write it. */
export interface Snapshot {
  enrollments: SeenEnrollment[]
  steps: SeenStep[]
  messages: SeenMessage[]
  tasks: { id: string; title: string; contact_id: string }[]
  events: SeenEvent[]
  contacts: SeenContact[]
  deals: { id: string; status: string; contact_ids: string[]; deleted_at: string | null }[]
  appointments: { id: string; contact_id: string | null; starts_at: string; status: string }[]
  changes: { automation_id: string; action: string; version: number | null; status: string }[]
  lane: { holder_id: string | null; next_at: string | null } | null
  inbox: {
    id: string
    contact_id: string | null
    event_id: string | null
    chain: string[]
    /** For a row that was postponed because processing it threw: when it is due again. */
    due_at: string | null
    created_at: string
  }[]
  automations: { id: string; enabled: boolean; running: string | null; version: number | null }[]
}

const rows = (name: string, columns: string, from: string, more = '') =>
  `'${name}', (select coalesce(json_agg(row_to_json(one)), '[]') from (select ${columns} from ${from} where workspace_id = $1 ${more}) one)`

const text = `select json_build_object(
  ${rows('enrollments', 'id, automation_id, version, contact_id, status, reason, source, event_id, step_key, seq, due_at, attempts, waiting_for, started_at, ended_at, context, chain', 'enrollments', 'order by id')},
  ${rows('steps', 'enrollment_id, seq, step_key, type, planned_at, at, outcome, reason, refs', 'enrollment_steps', 'order by enrollment_id, seq')},
  ${rows('messages', "id, contact_id, channel, status, source, body, compliance->>'decision' as decision", 'messages', "and direction = 'OUTBOUND' order by id")},
  ${rows('tasks', 'id, title, contact_id', 'tasks', 'order by id')},
  ${rows('events', 'id, name, subject_id, timeline_id, data', 'events', `and name in ('automation.run', 'automation.ended', 'message.sent', 'message.blocked', 'note.added', 'contact.stage_changed', 'contact.tag_added', 'message.received', 'appointment.booked', 'appointment.rescheduled', 'deal.stage_changed') order by id`)},
  ${rows('contacts', 'id, stage, tags, owner_id, erased_at', 'contacts', 'order by id')},
  ${rows('inbox', 'id, contact_id, event_id, chain, created_at, due_at', 'automation_inbox', 'order by id')},
  ${rows('deals', 'id, status, contact_ids, deleted_at', 'deals', 'order by id')},
  ${rows('appointments', 'id, contact_id, starts_at, status', 'appointments', 'order by id')},
  ${rows('automations', 'id, enabled, running, version', 'automations')},
  ${rows('changes', 'automation_id, action, version, status', 'automation_changes', 'order by id')},
  'lane', (select row_to_json(one) from (select holder_id, next_at from automation_lanes where workspace_id = $1) one)
) as seen`

export async function takeSnapshot(client: pg.Client, workspaceId: string): Promise<Snapshot> {
  const { rows: found } = await client.query<{ seen: Snapshot }>({
    name: 'automations snapshot',
    text,
    values: [workspaceId],
  })
  const [row] = found
  if (row === undefined) throw new Error('There is no snapshot.')
  return row.seen
}
