import { orNotFound } from '#kernel/errors.ts'
import { insertWaiting } from '#test/scenes/waiting.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf, insertMember } from '#test/support/fixtures.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { exampleDraft } from './campaign.ts'

/** Adds a contact who can be sent emails. */
const insertReachable = async ({ workspace }: Client) =>
  asOwner(
    await workerDatabase(),
    `insert into contacts (workspace_id, id, email, stage, tags, ai_auto_response, search_names, search_details, created_at, updated_at)
     values ($1, left('c' || md5($1), 25), 'ada@reyes.example', 'LEAD', '{}', 'active', '', '', now(), now()) on conflict do nothing`,
    [orNotFound(workspace).id],
  )

/** Adds a draft with an audience and a summary. */
async function addDraft(agent: Client): Promise<string> {
  await insertReachable(agent)
  const id = idOf(await agent.post('/campaigns', { ...exampleDraft, audience: { all: [] } }))
  await agent.post(`/campaigns/${id}/summary`)
  return id
}

/** Sets the status of a campaign, and adds or deletes the automation and the backfill that it runs as. */
async function become(id: string, status: 'draft' | 'scheduled' | 'running' | 'paused'): Promise<void> {
  const url = await workerDatabase()
  for (const table of ['backfill_contacts where backfill_id', 'backfills where id'])
    await asOwner(url, `delete from ${table} = $1`, [id])
  await asOwner(
    url,
    `update campaigns set status = $2,
       compliance_summary = jsonb_set(compliance_summary::jsonb, '{at}', '"2058-01-01T00:00:00.000Z"')::json
     where id = $1`,
    [id, status],
  )
  if (status === 'draft') {
    await asOwner(url, 'delete from automation_versions where automation_id = $1', [id])
    return void (await asOwner(url, 'delete from automations where id = $1', [id]))
  }
  const [definition, system] = ['{"steps":[]}', '{"type":"system","id":null}']
  await asOwner(
    url,
    `insert into automations (workspace_id, id, name, kind, enabled, definition, version, trigger_events, created_by, created_at, updated_at)
     select workspace_id, id, name, 'campaign', true, $2, 1, '{}', $3, now(), now() from campaigns where id = $1
     on conflict do nothing`,
    [id, definition, system],
  )
  await asOwner(
    url,
    `insert into automation_versions (workspace_id, id, automation_id, version, definition, created_by, created_at)
     select workspace_id, id, id, 1, $2, $3, now() from campaigns where id = $1 on conflict do nothing`,
    [id, definition, system],
  )
  await asOwner(
    url,
    `insert into backfills (workspace_id, id, automation_id, conditions, per_hour, status, channel, created_by, created_at, updated_at)
     select workspace_id, id, id, audience, 200, $2, channel, $3, now(), now() from campaigns where id = $1`,
    [id, status, system],
  )
}

async function addRunning(agent: Client): Promise<string> {
  const id = await addDraft(agent)
  await become(id, 'running')
  return id
}

const audiences = [
  { all: [] },
  { field: 'contact.tags', operator: 'has_any', value: ['buyer'] },
  { any: [{ field: 'contact.stage', operator: 'in', value: ['LEAD', 'NURTURE'] }] },
]

const schedules = [
  { starts_at: '2058-12-01T15:00:00.000Z' },
  { send_window: { from: '09:00', to: '17:00', days: ['mon', 'tue'], zone: 'workspace' } },
  {},
]

const templates = [
  { subject: 'News', body: 'Hello.' },
  { subject: 'News for {{contact.first_name|you}}', html: '<p>Hello.</p>' },
]

export const fixtures: Fixtures = {
  ready: {
    'POST /campaigns/{id}/test': async (agent) => {
      await readyToSend(orNotFound(agent.workspace))
      await insertMember(agent)
    },
  },
  records: {
    // With recipients. `reset` puts the campaign into the status that a request needs.
    '/campaigns/{id}': async (agent) => {
      const id = await addRunning(agent)
      await insertWaiting(agent, id)
      await insertWaiting(agent, id)
      return [id]
    },
  },
  lists: {
    '/campaigns': { insert: (agent) => addDraft(agent) },
    '/campaigns/{id}/recipients': { parent: addRunning, insert: insertWaiting },
  },
  reset: {
    'PATCH /campaigns/{id}': (id) => become(id, 'draft'),
    'POST /campaigns/{id}/summary': (id) => become(id, 'draft'),
    'POST /campaigns/{id}/schedule': (id) => become(id, 'draft'),
    'POST /campaigns/{id}/unschedule': (id) => become(id, 'scheduled'),
    'POST /campaigns/{id}/start': (id) => become(id, 'draft'),
    'POST /campaigns/{id}/pause': (id) => become(id, 'running'),
    'POST /campaigns/{id}/resume': (id) => become(id, 'paused'),
    'POST /campaigns/{id}/cancel': (id) => become(id, 'running'),
  },
  values: {
    'POST /campaigns audience': audiences,
    'PATCH /campaigns/{id} audience': audiences,
    'POST /campaigns schedule': schedules,
    'PATCH /campaigns/{id} schedule': schedules,
    'POST /campaigns/{id}/schedule starts_at': ['2058-12-01T15:00:00.000Z', '2058-12-01T15:00:00Z'],
    'POST /campaigns template': templates,
    'PATCH /campaigns/{id} template': templates,
  },
}
