import { newId } from '@gable/server/src/kernel/ids.ts'
import fastify from 'fastify'
import pg from 'pg'
import { insertEvent } from '../bare-writes.ts'
import { serve } from '../server-process.ts'

const insertTask = {
  name: 'insert task',
  text: `insert into tasks (workspace_id, id, title, type, status, priority, due_at, assignee_id, contact_id, created_by,
    created_at, updated_at) values ($1, $2, $3, 'call', 'open', 'normal', $4, $5, $6, '{"type":"api_key","id":null}', $7, $7)`,
}

/** Creating a deal includes finding the first open stage of the default pipeline. */
const insertDeal = {
  name: 'insert deal',
  text: `insert into deals (workspace_id, id, name, type, status, pipeline_id, stage_id, stage_changed_at, order_key, contact_ids,
    participants, owner_id, price, currency, expected_close_date, search_name, created_by, created_at, updated_at)
    select $1, $2, $3, 'buyer', 'open', s.pipeline_id, s.id, $7, 'a0', array[$6], '[]', $5, 450000, 'USD', $4, ' client',
      '{"type":"api_key","id":null}', $7, $7
    from pipeline_stages s join pipelines p on p.workspace_id = s.workspace_id and p.id = s.pipeline_id
    where s.workspace_id = $1 and p.is_default and s.position = 0`,
}

const nouns = {
  tasks: { insert: insertTask, subject: 'task', title: 'title', when: 'due_at', owner: 'assignee_id' },
  deals: {
    insert: insertDeal,
    subject: 'deal',
    title: 'name',
    when: 'expected_close_date',
    owner: 'owner_id',
  },
} as const

/**
 * The baseline for creating a record: the row and its event in a transaction, as named statements on a plain pool,
 * behind a minimal handler. No credential, rate limit, or tenant rule (it connects as the owner), and no lock.
 */
await serve(async (databaseUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const app = fastify({ logger: false, forceCloseConnections: true })
  for (const [path, { insert, subject, title, when, owner }] of Object.entries(nouns)) {
    app.post<{ Body: Record<string, string> }>(`/v1/${path}`, async (request, reply) => {
      const { body } = request
      const workspaceId = request.headers['x-workspace-id']
      const at = new Date()
      const id = newId(at)
      const actor = JSON.stringify({ type: 'api_key', id: null, name: 'bare' })
      const values = [workspaceId, id, body[title], body[when], body[owner], body['contact_id'], at]
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query({ ...insert, values })
        await client.query({
          ...insertEvent,
          values: [
            workspaceId,
            newId(at),
            `${subject}.created`,
            subject,
            id,
            body['contact_id'],
            actor,
            JSON.stringify(body),
            at,
          ],
        })
        await client.query('commit')
        client.release()
      } catch (error) {
        client.release(true)
        throw error
      }
      return reply.code(201).send({ id, ...body, created_at: at })
    })
  }
  return {
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    stop: () => app.close().then(() => pool.end()),
  }
})
