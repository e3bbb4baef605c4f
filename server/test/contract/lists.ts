import { expect } from 'vitest'
import type { TestApp } from '#test/support/app.ts'
import type { Client, Response } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'

interface Ids {
  id: string
}

interface List {
  /** Makes the record whose list it is; answers its id. */
  parent?(agent: Client): Promise<string>
  insert(agent: Client, parent: string): Promise<string>
  erase?(agent: Client, row: string): Promise<unknown>
}

const contact = async (agent: Client) => (await agent.post('/contacts')).body['id'] as string
const webhook = async (agent: Client) =>
  (await agent.post('/webhooks', { url: 'https://hooks.example.com' })).body['id'] as string

/** How each list gets a row, and how one of its rows goes, where it can. A new list wants a line here. */
export const lists: Record<string, List> = {
  '/contacts': {
    insert: async (agent) =>
      (await agent.post('/contacts', { first_name: 'Ada', stage: 'LEAD', source: 'Web' })).body['id'],
    erase: (agent, row) => agent.delete(`/contacts/${row}`),
  },
  '/contacts/{id}/notes': {
    parent: contact,
    insert: async (agent, id) => (await agent.post(`/contacts/${id}/notes`, { body: 'A note' })).body['id'],
  },
  '/contacts/{id}/events': {
    parent: contact,
    insert: async (agent, id) => (await agent.post(`/contacts/${id}/notes`, { body: 'A note' })).body['id'],
  },
  '/leads': {
    insert: async (agent) =>
      (await agent.post('/leads', { phone: '+13125550123', source: 'Website' })).body['id'],
  },
  '/leads/{id}/routing': {
    parent: async (agent) => {
      const lead = { phone: '+13125550123', source: 'Website', skip_routing: true }
      return (await agent.post('/leads', lead)).body['id']
    },
    // Each to somebody else than the one before: to the same again it would change nothing.
    insert: async (agent, id) => {
      const [{ workspace_id, assignee_id } = {}] = await asOwner<Record<string, string>>(
        await workerDatabase(),
        'select workspace_id, assignee_id from leads where id = $1',
        [id],
      )
      const [member] = await asOwner<Ids>(
        await workerDatabase(),
        `insert into members (workspace_id, id, name, email, role, active, created_at, updated_at)
         values ($1, $2, 'A member', $2 || '@gable.example', 'agent', true, '2026-01-01', '2026-01-01')
         on conflict (workspace_id, id) do update set name = excluded.name returning id`,
        [workspace_id, `cmi8h2k5p0000y7w2d5g8j1m${assignee_id?.endsWith('5') ? 6 : 5}`],
      )
      await agent.post(`/leads/${id}/assign`, { assignee_id: member?.id })
      return (await agent.get(`/leads/${id}/routing?limit=1`)).body['data'][0].id
    },
  },
  '/events': {
    insert: async (agent) => {
      await agent.post('/contacts', { first_name: 'Ada' })
      return (await agent.get('/events?limit=1')).body['data'][0].id
    },
  },
  '/webhooks': {
    insert: webhook,
    erase: (agent, row) => agent.delete(`/webhooks/${row}`),
  },
  '/webhooks/{id}/deliveries': {
    parent: webhook,
    insert: async (agent, id) => (await agent.post(`/webhooks/${id}/test`)).body['id'],
  },
}

/** An empty list of a new workspace, or one with so few rows that a test can name them. */
export async function emptyList(app: TestApp, path: string) {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { parent, insert, erase } = lists[path] ?? {}
  if (insert === undefined) throw new Error(`No row is made for ${path}.`)
  const of = parent === undefined ? '' : await parent(agent)
  const address = path.replace('{id}', of)
  const rows = (await agent.get(address)).body['data'].map(({ id }: Ids) => id) as string[]
  return {
    workspace,
    agent,
    address,
    /** Ids that are in the list, newest first. */
    rows,
    async add(count: number) {
      for (let i = 0; i < count; i++) {
        app.clock.advance(1000)
        rows.unshift(await insert(agent, of))
      }
    },
    erase: erase === undefined ? undefined : (row: string) => erase(agent, row),
    page: (query: string) => agent.get(`${address}?${query}`),
  }
}

export const idsOf = ({ body }: Response) => body['data'].map(({ id }: Ids) => id) as string[]

/** Walks to the end; `between` is called after each page. */
export async function walk(
  page: (query: string) => Promise<Response>,
  limit: number,
  between = async () => {},
): Promise<string[][]> {
  const pages: string[][] = []
  for (let query = `limit=${limit}`; pages.length < 100;) {
    const answer = await page(query)
    expect(answer.status).toBe(200)
    expect(answer.headers.has('x-cursor-reset')).toBe(false)
    expect(answer.body['has_more']).toBe(answer.body['next_cursor'] !== null)
    pages.push(idsOf(answer))
    if (answer.body['next_cursor'] === null) return pages
    query = `limit=${limit}&cursor=${answer.body['next_cursor']}`
    await between()
  }
  throw new Error('The walk does not end.')
}
