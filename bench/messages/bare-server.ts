import { newId } from '@gable/server/src/kernel/ids.ts'
import fastify from 'fastify'
import pg from 'pg'
import { insertEvent } from '../bare-writes.ts'
import { serve } from '../server-process.ts'

interface Draft {
  channel: string
  to: string
  body: string
}

const insertMessage = {
  name: 'insert message',
  text: `insert into messages (workspace_id, id, channel, direction, status, "from", "to", body, purpose, message_class, kind,
    source, ai_generated, automatic, actor, segments, waits_for_hours, created_at, updated_at)
    values ($1, $2, 'SMS', 'OUTBOUND', 'queued', $3, $4, $5, 'outbound', 'marketing', 'standard', 'api', false, false, $6, 1, false, $7, $7)`,
}

/**
 * The baseline for accepting a message: one message and one event in a transaction, as named statements on a plain
 * pool, behind a minimal handler. No credential, rate limit, or tenant rule (it connects as the owner), no contact,
 * no conversation, no queue, and no gate.
 */
await serve(async (databaseUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const app = fastify({ logger: false, forceCloseConnections: true })

  app.post<{ Body: Draft }>('/v1/messages', async (request, reply) => {
    const { to, body } = request.body
    const workspaceId = request.headers['x-workspace-id']
    const at = new Date().toISOString()
    const id = newId(new Date())
    const actor = JSON.stringify({ type: 'api_key', id: null, name: 'bare' })
    const data = JSON.stringify({ id, channel: 'SMS', to, status: 'queued' })
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query({
        ...insertMessage,
        values: [workspaceId, id, '+13125550188', to, body, actor, at],
      })
      await client.query({
        ...insertEvent,
        values: [workspaceId, newId(new Date()), 'message.queued', 'message', id, id, actor, data, at],
      })
      await client.query('commit')
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
    return reply.code(201).send({ id, channel: 'SMS', status: 'queued', to, body, created_at: at })
  })

  return {
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    stop: () => app.close().then(() => pool.end()),
  }
})
