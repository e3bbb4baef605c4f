import type { ContactDraft } from '@gable/server/src/modules/contacts/contact.ts'
import fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { bareContact, bareEvent, insertContact, insertEvent } from './bare-writes.ts'
import { serve } from './server-process.ts'

const columns = `id, first_name, last_name, email, phone, stage, source, tags, notes, owner_id, ai_auto_response,
  created_at, updated_at, erased_at`

const one = { name: 'one', text: `select ${columns} from contacts where workspace_id = $1 and id = $2` }
const list = {
  name: 'list',
  text: `select ${columns} from contacts where workspace_id = $1 and erased_at is null order by id desc limit $2`,
}

const workspaceOf = (request: FastifyRequest) => request.headers['x-workspace-id']

/**
 * The baseline for the product: the same queries as named statements on a plain pool, behind minimal handlers. No
 * credential, rate limit, or tenant rule (it connects as the owner), no validation, and no masking.
 */
await serve(async (databaseUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const app = fastify({ logger: false, forceCloseConnections: true })

  app.get<{ Params: { id: string } }>('/v1/contacts/:id', async (request, reply) => {
    const { rows } = await pool.query({ ...one, values: [workspaceOf(request), request.params.id] })
    return rows.length === 0 ? reply.code(404).send({ error: 'not found' }) : reply.send(rows[0])
  })

  app.get<{ Querystring: { limit: string } }>('/v1/contacts', async (request, reply) => {
    const limit = Number(request.query.limit)
    const { rows } = await pool.query({ ...list, values: [workspaceOf(request), limit + 1] })
    const data = rows.slice(0, limit)
    const has_more = rows.length > limit
    return reply.send({ data, next_cursor: has_more ? data.at(-1).id : null, has_more })
  })

  app.post<{ Body: ContactDraft }>('/v1/contacts', async (request, reply) => {
    const contact = bareContact(request.body)
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query({ ...insertContact, values: [workspaceOf(request), ...Object.values(contact)] })
      await client.query({
        ...insertEvent,
        values: [workspaceOf(request), ...Object.values(bareEvent(contact))],
      })
      await client.query('commit')
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
    const { search_names: _, search_details: __, ...shown } = contact
    return reply.code(201).send(shown)
  })

  return {
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    stop: () => app.close().then(() => pool.end()),
  }
})
