import { orNotFound } from '#kernel/errors.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { createSender } from '../senders/public.ts'

let people = 0

/** Sends an email to a new contact. An email needs no consent and has no quiet hours. */
async function sendEmail(agent: Client): Promise<string> {
  await readyToSend(orNotFound(agent.workspace))
  const email = `person-${people++}@reyes.example`
  const contact_id = idOf(await agent.post('/contacts', { first_name: 'Sam', email }))
  return idOf(
    await agent.post('/messages', {
      channel: 'email',
      to: email,
      subject: 'Hello',
      body: 'Hello.',
      contact_id,
    }),
  )
}

const conversationOf = async (agent: Client): Promise<string> =>
  (await agent.get(`/messages/${await sendEmail(agent)}`)).body['conversation_id']

const ready = (agent: Client) => readyToSend(orNotFound(agent.workspace))

/** Sets the owner of the record and of its contact. */
const owner = (table: 'messages' | 'conversations') => async (id: string, memberId: string | null) => {
  const database = await workerDatabase()
  await asOwner(database, `update ${table} set owner_id = $2 where id = $1`, [id, memberId])
  return asOwner(
    database,
    `update contacts set owner_id = $2 where id = (select contact_id from ${table} where id = $1)`,
    [id, memberId],
  )
}

export const fixtures: Fixtures = {
  ready: { 'POST /messages': ready, 'POST /messages/preflight': ready },
  records: {
    '/messages/{id}': async (agent) => [await sendEmail(agent)],
    '/conversations/{id}': async (agent) => [await conversationOf(agent)],
  },
  owners: { '/messages/{id}': owner('messages'), '/conversations/{id}': owner('conversations') },
  lists: {
    '/messages': { insert: sendEmail },
    '/conversations': { insert: conversationOf },
  },
  reset: {
    'POST /messages/{id}/resend': async (id) => {
      const database = await workerDatabase()
      await asOwner(database, 'delete from outbox where message_id = $1', [id])
      await asOwner(database, "update messages set status = 'failed' where id = $1", [id])
      await asOwner(database, "update messages set status = 'cancelled' where resend_of = $1", [id])
    },
    'POST /messages/{id}/approve': async (id) => {
      const database = await workerDatabase()
      await asOwner(database, 'delete from outbox where message_id = $1', [id])
      await asOwner(
        database,
        `update messages set status = 'pending_approval', approved_by = null
         where id = $1`,
        [id],
      )
    },
    'POST /messages/{id}/cancel': async (id) => {
      const database = await workerDatabase()
      await asOwner(database, "update messages set status = 'queued' where id = $1", [id])
      await asOwner(
        database,
        `insert into outbox (workspace_id, message_id, sender_id, recipient, lane, segments, state, due_at, attempts, turns, created_at)
         select workspace_id, id, sender_id, id, 0, 1, 'waiting', created_at, 0, 0, created_at from messages where id = $1
         on conflict do nothing`,
        [id],
      )
    },
  },
  values: Object.fromEntries(
    ['POST /messages', 'POST /messages/preflight'].flatMap((route): [string, unknown[]][] => [
      ...['sms', 'whatsapp'].map((kind): [string, unknown[]] => [
        `${route} ${kind} to`,
        ['+13125550177', '312-555-0177'],
      ]),
      ...['sms', 'whatsapp', 'email'].map((kind): [string, unknown[]] => [
        `${route} ${kind} channel`,
        [kind],
      ]),
      [`${route} email to`, ['sam@reyes.example', "o'hara+1@mail.reyes.example"]],
      [
        `${route} whatsapp template`,
        ['Saturday', undefined].map((day) => ({
          name: 'viewing_reminder',
          language: 'en_US',
          ...(day === undefined ? {} : { variables: [day] }),
        })),
      ],
    ]),
  ),
  referents: {
    async sender(workspace) {
      await readyToSend(workspace)
      const { ctx } = workspace
      return (await createSender(ctx, { kind: '10dlc', address: `+1312555${String(1000 + people++)}` })).id
    },
    message: async (workspace) => sendEmail(await workspace.credential()),
  },
}
