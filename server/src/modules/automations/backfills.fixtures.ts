import { found } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'
import { exampleDefinition } from './automation.ts'

const conditions = [
  { all: [] },
  { field: 'contact.tags', operator: 'has_any', value: ['buyer'] },
  { any: [{ field: 'contact.stage', operator: 'in', value: ['LEAD', 'NURTURE'] }] },
]

async function addAutomation(agent: Client): Promise<string> {
  const id = idOf(await agent.post('/automations', { name: 'Welcome', definition: exampleDefinition }))
  await agent.post(`/automations/${id}/publish`)
  await agent.post(`/automations/${id}/enable`)
  return id
}

const addBackfill = async (agent: Client, automation: string): Promise<string> =>
  idOf(await agent.post(`/automations/${automation}/backfills`, { conditions: conditions[0] }))

/** A contact that waits in a backfill. */
async function addWaiting(agent: Client, backfill: string): Promise<string> {
  const contact = idOf(await agent.post('/contacts', { first_name: 'Ada' }))
  const id = newId(new Date(timeOf(contact)))
  await asOwner(
    await workerDatabase(),
    `insert into backfill_contacts (workspace_id, id, backfill_id, contact_id, status, due_at, created_at)
     values ($1, $2, $3, $4, 'waiting', now(), now())`,
    [found(agent.workspace).id, id, backfill, contact],
  )
  return id
}

/** When an id was made, epoch milliseconds. */
const timeOf = (id: string) => Number.parseInt(id.slice(1, 9), 36)

export const fixtures: Fixtures = {
  records: {
    // With contacts.
    '/backfills/{id}': async (agent) => {
      const id = await addBackfill(agent, await addAutomation(agent))
      await addWaiting(agent, id)
      await addWaiting(agent, id)
      return [id]
    },
  },
  lists: {
    '/automations/{id}/backfills': { parent: addAutomation, insert: addBackfill },
    '/backfills/{id}/contacts': {
      parent: async (agent) => addBackfill(agent, await addAutomation(agent)),
      insert: addWaiting,
    },
  },
  values: { 'POST /automations/{id}/backfills conditions': conditions },
}
