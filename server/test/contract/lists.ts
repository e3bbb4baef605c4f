import { expect } from 'vitest'
import type { TestApp } from '#test/support/app.ts'
import type { Response } from '#test/support/client.ts'
import { endpoints } from '../../src/api.ts'
import { listFixture } from './requests.ts'

interface Ids {
  id: string
}

/** A list in a new workspace that is empty or has only a few rows. */
export async function emptyList(app: TestApp, path: string) {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { parent, insert, remove } = listFixture(path)
  const order = endpoints.find((one) => one.path === path)?.list
  // For an order by time, rows are added from the latest to the earliest; see `listFixture`.
  const appends = (order?.direction === 'asc') === (order?.column === undefined)
  const of = parent === undefined ? '' : await parent(agent)
  const address = path.replace('{id}', of)
  const rows = (await agent.get(address)).body['data'].map(({ id }: Ids) => id) as string[]
  return {
    workspace,
    agent,
    address,
    /** Ids in the list, in its order. */
    rows,
    async add(count: number) {
      for (let i = 0; i < count; i++) {
        app.clock.advance(1000)
        const id = await insert(agent, of)
        if (appends) rows.push(id)
        else rows.unshift(id)
      }
    },
    remove: remove === undefined ? undefined : (row: string) => remove(agent, row),
    page: (query: string) => agent.get(`${address}?${query}`),
  }
}

export const idsOf = ({ body }: Response) => body['data'].map(({ id }: Ids) => id) as string[]

/** Reads all pages. Calls `between` after each page except the last. */
export async function readPages(
  page: (query: string) => Promise<Response>,
  limit: number,
  between = async () => {},
): Promise<string[][]> {
  const pages: string[][] = []
  for (let query = `limit=${limit}`; pages.length < 100;) {
    const response = await page(query)
    expect(response.status).toBe(200)
    expect(response.headers.has('x-cursor-reset')).toBe(false)
    expect(response.body['has_more']).toBe(response.body['next_cursor'] !== null)
    pages.push(idsOf(response))
    if (response.body['next_cursor'] === null) return pages
    query = `limit=${limit}&cursor=${response.body['next_cursor']}`
    await between()
  }
  throw new Error('The list does not end.')
}
