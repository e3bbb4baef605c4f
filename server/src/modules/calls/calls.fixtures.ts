import { orNotFound } from '#kernel/errors.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf, newPhone } from '#test/support/fixtures.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { addCall } from './public.ts'

/** Inserts a finished call with a new contact. */
async function insertCall(agent: Client): Promise<string> {
  const phone = newPhone()
  const contact_id = idOf(await agent.post('/contacts', { first_name: 'Sam', phone }))
  const at = '2026-03-02T14:00:00.000Z'
  const { id } = await orNotFound(agent.workspace).ctx.transaction((tx) =>
    addCall(tx, {
      contact_id,
      direction: 'INBOUND',
      handled_by: 'ai',
      from: phone,
      to: '+13125550188',
      status: 'completed',
      disposition: 'callback_requested',
      started_at: at,
      answered_at: at,
      ended_at: at,
      duration_seconds: 12,
      summary: `Call me at ${phone}.`,
      summary_source: 'provider',
      extracted: { phone },
      completed_at: at,
      transcript: [{ speaker: 'contact', start_ms: 0, end_ms: 900, text: `Call me at ${phone}.` }],
    }),
  )
  return id
}

/** Makes the workspace ready to send and turns the AI on, whatever earlier requests have set. */
async function ready(agent: Client): Promise<void> {
  const workspace = orNotFound(agent.workspace)
  await readyToSend(workspace)
  await asOwner(await workerDatabase(), 'update ai_settings set enabled = true where workspace_id = $1', [
    workspace.id,
  ])
}

export const fixtures: Fixtures = {
  ready: { 'POST /calls': ready, 'POST /calls/preflight': ready },
  records: { '/calls/{id}': async (agent) => [await insertCall(agent)] },
  owners: {
    '/calls/{id}': async (id, memberId) => {
      const database = await workerDatabase()
      await asOwner(database, 'update calls set owner_id = $2 where id = $1', [id, memberId])
      return asOwner(
        database,
        'update contacts set owner_id = $2 where id = (select contact_id from calls where id = $1)',
        [id, memberId],
      )
    },
  },
  reset: {
    'POST /calls/{id}/cancel': async (id) => {
      const database = await workerDatabase()
      await asOwner(
        database,
        `update calls set direction = 'OUTBOUND', status = 'queued', completed_at = null, ended_at = null where id = $1`,
        [id],
      )
    },
  },
  lists: { '/calls': { insert: insertCall } },
  alternatives: {
    'POST /calls': ['member_id', 'connection_id', 'persona_id'],
    'POST /calls/preflight': ['member_id', 'connection_id', 'persona_id'],
  },
  values: Object.fromEntries(
    ['POST /calls', 'POST /calls/preflight'].map((route) => [
      `${route} to`,
      ['+13125550177', '312-555-0177'],
    ]),
  ),
  referents: {
    persona: async (workspace) =>
      idOf(
        await (
          await workspace.credential()
        ).post('/personas', {
          name: 'Alder',
          disclosure: 'This is Alder, the AI assistant of Lakeside Realty.',
          mode: 'approve',
        }),
      ),
    voice_connection: async (workspace) =>
      idOf(
        await (
          await workspace.credential()
        ).post('/connections', { provider: 'retell', name: 'Retell', account: 'agent_1', secret: 'key_1' }),
      ),
  },
}
