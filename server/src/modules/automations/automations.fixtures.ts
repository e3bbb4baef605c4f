import { orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, exampleContact, idOf, insertContact } from '#test/support/fixtures.ts'
import { exampleDefinition } from './automation.ts'

const draft = { name: 'Welcome', definition: exampleDefinition }

async function addAutomation(agent: Client): Promise<string> {
  const id = idOf(await agent.post('/automations', draft))
  await agent.post(`/automations/${id}/publish`)
  await agent.post(`/automations/${id}/enable`)
  return id
}

async function enroll(agent: Client, automationId: string, contactId: string): Promise<string> {
  return idOf(await agent.post(`/automations/${automationId}/enroll`, { contact_id: contactId }))
}

const addChange = async (agent: Client, automationId: string) =>
  idOf(await agent.post(`/automations/${automationId}/migrate`, { to: 1 }))

const addContact = async (agent: Client) => idOf(await agent.post('/contacts', { first_name: 'Ada' }))

const definitions = [
  { steps: [{ key: 'gold', type: 'tag', tag: 'gold' }] },
  {
    triggers: [
      { event: 'lead.created', conditions: { field: 'contact.stage', operator: 'eq', value: 'LEAD' } },
    ],
    exits: [{ when: 'replied' }],
    re_enrollment: { after_days: 90 },
    exclusive_group: { name: 'nurture', when_taken: 'replace' },
    max_per_hour: 60,
    send_window: { from: '09:00', to: '18:00', zone: 'contact' },
    steps: [{ key: 'note', type: 'note', body: 'A note.' }],
  },
]

const disable = async (id: string) =>
  asOwner(await workerDatabase(), 'update automations set enabled = false where id = $1', [id])

const contexts = [{}, { campaign: 'spring', tries: 3, list: ['a'], more: { deep: true } }]

/**
 * Adds a second version, and two each of completed enrollments, entries, and bulk changes. Writes them straight to the database, because
 * requests are rate-limited.
 */
async function insertPast({ workspace }: Client, automationId: string): Promise<void> {
  const url = await workerDatabase()
  await asOwner(
    url,
    `insert into automation_versions (workspace_id, id, automation_id, version, definition, created_by, created_at)
     select workspace_id, $2, automation_id, 2, definition, created_by, created_at from automation_versions
     where automation_id = $1 and version = 1`,
    [automationId, newId(new Date())],
  )
  await asOwner(url, 'update automations set version = 2 where id = $1', [automationId])
  for (let i = 0; i < 2; i++) {
    const values = [orNotFound(workspace).id, newId(new Date())]
    await asOwner(
      url,
      `insert into contacts (workspace_id, id, stage, tags, ai_auto_response, search_names, search_details, created_at, updated_at)
       values ($1, $2, 'LEAD', '{}', 'active', '', '', now(), now())`,
      values,
    )
    await asOwner(
      url,
      `insert into enrollments (workspace_id, id, automation_id, version, contact_id, status, source, chain, seq, attempts,
         created_at, updated_at)
       values ($1, $2, $3, 1, $2, 'completed', 'api', '{}', 0, 0, now(), now())`,
      [...values, automationId],
    )
    await asOwner(
      url,
      `insert into automation_entries
         (workspace_id, id, automation_id, version, contact_id, event, event_id, outcome, triggers, created_at)
       values ($1, $2, $3, 1, $2, 'lead.created', $2, 'entered', '[]', now())`,
      [...values, automationId],
    )
    await asOwner(
      url,
      `insert into automation_changes (workspace_id, id, automation_id, action, status, total, changed, unchanged, left_out, after,
         created_by, created_at, updated_at)
       values ($1, $2, $3, 'pause', 'done', 0, 0, 0, '[]', '', '{"type":"system","id":null}', now(), now())`,
      [...values, automationId],
    )
  }
}

/** Adds two completed enrollments of a contact. */
export async function insertEnrollments({ workspace }: Client, contactId: string): Promise<void> {
  const url = await workerDatabase()
  for (let i = 0; i < 2; i++) {
    const values = [orNotFound(workspace).id, newId(new Date()), JSON.stringify(exampleDefinition)]
    await asOwner(
      url,
      `insert into automations (workspace_id, id, name, enabled, definition, version, trigger_events, created_by, created_at, updated_at)
       values ($1, $2, 'Welcome', false, $3, 1, '{}', '{"type":"system","id":null}', now(), now())`,
      values,
    )
    await asOwner(
      url,
      `insert into automation_versions (workspace_id, id, automation_id, version, definition, created_by, created_at)
       values ($1, $2, $2, 1, $3, '{"type":"system","id":null}', now())`,
      values,
    )
    await asOwner(
      url,
      `insert into enrollments (workspace_id, id, automation_id, version, contact_id, status, source, chain, seq, attempts,
         created_at, updated_at)
       values ($1, $2, $2, 1, $3, 'completed', 'api', '{}', 0, 0, now(), now())`,
      [...values.slice(0, 2), contactId],
    )
  }
}

/** Adds an entry: an event that did not start the automation for the contact. */
async function insertEntry({ workspace }: Client, automationId: string, contactId: string): Promise<string> {
  const id = newId(new Date())
  await asOwner(
    await workerDatabase(),
    `insert into automation_entries
       (workspace_id, id, automation_id, version, contact_id, event, event_id, outcome, triggers, created_at)
     values ($1, $2, $3, 1, $4, 'lead.created', $2, 'condition', $5, now())`,
    [
      orNotFound(workspace).id,
      id,
      automationId,
      contactId,
      JSON.stringify([
        {
          index: 0,
          failing_conditions: [
            { field: 'contact.stage', operator: 'eq', expected: 'LEAD', actual: 'SPHERE' },
          ],
        },
      ]),
    ],
  )
  return id
}

async function insertVersion({ workspace }: Client, automationId: string): Promise<string> {
  const id = newId(new Date())
  await asOwner(
    await workerDatabase(),
    `insert into automation_versions (workspace_id, id, automation_id, version, definition, created_by, created_at)
     select $1, $2, $3, 1 + count(*), $4, '{"type":"system","id":null}', now() from automation_versions
     where automation_id = $3`,
    [orNotFound(workspace).id, id, automationId, JSON.stringify(exampleDefinition)],
  )
  return id
}

export const fixtures: Fixtures = {
  ready: {
    'POST /automations/{id}/explain': insertContact,
    'POST /automations/{id}/dry-run': insertContact,
    'POST /automations/{id}/enroll': insertContact,
  },
  records: {
    // With enrollments, backfills, and an unpublished draft.
    '/automations/{id}': async (agent) => {
      const id = await addAutomation(agent)
      await agent.patch(`/automations/${id}`, { definition: definitions[0] })
      await insertPast(agent, id)
      for (let i = 0; i < 2; i++)
        await agent.post(`/automations/${id}/backfills`, { conditions: { all: [] } })
      return [id]
    },
    '/automation-changes/{id}': async (agent) => [await addChange(agent, await addAutomation(agent))],
    '/enrollments/{id}': async (agent) => [
      await enroll(agent, await addAutomation(agent), await addContact(agent)),
    ],
  },
  lists: {
    '/automations': { insert: (agent) => addAutomation(agent) },
    '/automations/{id}/enrollments': {
      parent: addAutomation,
      insert: async (agent, automation) => enroll(agent, automation, await addContact(agent)),
    },
    '/automations/{id}/entries': {
      parent: addAutomation,
      insert: async (agent, automation) => insertEntry(agent, automation, await addContact(agent)),
    },
    '/automations/{id}/versions': {
      parent: async (agent) => idOf(await agent.post('/automations', draft)),
      insert: insertVersion,
    },
    '/automations/{id}/changes': { parent: addAutomation, insert: addChange },
    '/contacts/{id}/enrollments': {
      parent: addContact,
      insert: async (agent, contact) => enroll(agent, await addAutomation(agent), contact),
    },
  },
  reset: {
    // Only a disabled automation can be archived.
    'PATCH /automations/{id}': disable,
    'POST /automations/{id}/enable': disable,
    'POST /automations/{id}/enroll': async () =>
      asOwner(
        await workerDatabase(),
        "update enrollments set status = 'completed', due_at = null where contact_id = $1",
        [exampleContact],
      ),
  },
  owners: {
    '/enrollments/{id}': async (id, memberId) =>
      asOwner(
        await workerDatabase(),
        'update contacts set owner_id = $2 where id = (select contact_id from enrollments where id = $1)',
        [id, memberId],
      ),
  },
  values: {
    'POST /automations/{id}/enroll context': contexts,
    'POST /automations/{id}/dry-run definition': definitions,
    'POST /automations/{id}/dry-run version': [1, 2],
    'POST /automations/{id}/dry-run trigger': [
      { event: 'lead.created' },
      { event: 'appointment.booked', data: { type: 'showing' } },
    ],
    'POST /automations/{id}/dry-run context': contexts,
    'POST /automations/{id}/dry-run at': ['2030-01-01T00:00:00.000Z', '2030-01-01T14:00:00+14:00'],
    'POST /automations/{id}/dry-run assume': [
      [],
      [{ at: '2030-01-01T00:00:00.000Z', event: 'message.received', data: { automatic: true } }],
    ],
    'POST /automations/{id}/migrate to': [2, 1],
    'POST /automations definition': definitions,
    'PATCH /automations/{id} definition': definitions,
    'POST /automations/validate definition': definitions,
  },
}
