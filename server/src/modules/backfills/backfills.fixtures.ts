import { insertWaiting } from '#test/scenes/waiting.ts'
import type { Client } from '#test/support/client.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'
import { exampleDefinition } from '../automations/automation.ts'

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

export const fixtures: Fixtures = {
  records: {
    // With contacts.
    '/backfills/{id}': async (agent) => {
      const id = await addBackfill(agent, await addAutomation(agent))
      await insertWaiting(agent, id)
      await insertWaiting(agent, id)
      return [id]
    },
  },
  lists: {
    '/automations/{id}/backfills': { parent: addAutomation, insert: addBackfill },
    '/backfills/{id}/contacts': {
      parent: async (agent) => addBackfill(agent, await addAutomation(agent)),
      insert: insertWaiting,
    },
  },
  values: { 'POST /automations/{id}/backfills conditions': conditions },
}
