import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'
import { modules } from '../index.ts'

const create = async (agent: Client) =>
  idOf(await agent.post('/webhooks', { url: 'https://hooks.example.com/gable' }))

const sendTest = async (agent: Client, id: string) => idOf(await agent.post(`/webhooks/${id}/test`))

/** Marks a delivery as failed. Only a finished delivery can be sent again, and only the dispatcher finishes one. */
const endDelivery = async (id: string) =>
  asOwner(await workerDatabase(), "update webhook_deliveries set status = 'failed' where id = $1", [id])

const eventNames = modules
  .flatMap(({ events = [] }) => events)
  .filter(({ scope }) => scope !== null)
  .map(({ name }) => name)

const lists = [[], eventNames, Array.from({ length: 100 }, () => 'contact.created')]
const urls = [
  `https://hooks.example.com/${'x'.repeat(2048 - 'https://hooks.example.com/'.length)}`,
  `https://${'a23456789.'.repeat(24)}example.com/`,
  'https://münchen.example/straße?q=%F0%9F%98%80',
  'HTTPS://Hooks.Example.com:65535/a//b/?c=d&&e',
  'https://8.8.8.8',
  'https://[2606:4700::1111]:8443/',
]

async function addEvent(agent: Client): Promise<string> {
  const contact = idOf(await agent.post('/contacts', { first_name: 'Ada' }))
  const [event] = await asOwner<{ id: string }>(
    await workerDatabase(),
    'select id from events where workspace_id = $1 and subject_id = $2',
    [agent.workspace?.id, contact],
  )
  return event?.id ?? ''
}

export const fixtures: Fixtures = {
  records: {
    '/events/{id}': async (agent) => [await addEvent(agent)],
    '/webhooks/{id}': async (agent) => {
      const id = await create(agent)
      for (let i = 0; i < 2; i++) await sendTest(agent, id)
      return [id]
    },
    '/webhooks/{id}/deliveries/{delivery_id}': async (agent) => {
      const id = await create(agent)
      const delivery = await sendTest(agent, id)
      await endDelivery(delivery)
      return [id, delivery]
    },
  },
  lists: {
    '/events/{id}/deliveries': {
      async parent(agent) {
        await create(agent)
        return addEvent(agent)
      },
      async insert(agent, event) {
        const [row] = await asOwner<{ id: string }>(
          await workerDatabase(),
          `insert into webhook_deliveries (workspace_id, webhook_id, id, event_id, event, scope, status, attempt, due_at,
             attempts, created_at, updated_at)
           select workspace_id, max(webhook_id), left($2, 14) || 'z' || lpad(count(*)::text, 10, '0'), $2, max(event),
             max(scope), 'failed', 0, now(), '[]', now(), now()
           from webhook_deliveries where workspace_id = $1 and event_id = $2 group by workspace_id returning id`,
          [agent.workspace?.id, event],
        )
        return row?.id ?? ''
      },
    },
    '/webhooks/{id}/deliveries': { parent: create, insert: sendTest },
    '/events': {
      insert: addEvent,
    },
  },
  reset: { 'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': endDelivery },
  values: {
    'POST /webhooks url': urls,
    'POST /webhooks event_types': lists,
    'PATCH /webhooks/{id} url': urls,
    'PATCH /webhooks/{id} event_types': lists,
    'POST /webhooks/{id}/test event_type': eventNames,
    'GET /events type': eventNames,
    'GET /webhooks/{id}/deliveries event': eventNames,
  },
}
