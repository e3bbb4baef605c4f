import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { freshDatabase } from '#test/support/database.ts'
import { contacts } from './contact.ts'
import { insertContact } from './queries.ts'

/** A search first checks this many of the newest contacts, and then all older ones (decision 4). */
const newest = 2000

/** A word for each case, with the positions of the contacts that have it. The newest contact has position 1. */
const words: Record<string, readonly number[]> = {
  amber: [newest],
  birch: [newest + 1],
  cedar: [newest - 1, newest, newest + 1, newest + 2],
  // After a page that ends at position 3, the first part of the next search ends at position 2003.
  hazel: [2, 3, newest + 2, newest + 3, newest + 4, newest + 5],
  larch: Array.from({ length: 9 }, (_, i) => newest - 4 + i),
  maple: [1, newest, newest + 1, newest + 2, newest + 20],
  olive: [1, newest, newest + 1, 2 * newest, 2 * newest + 1, 2 * newest + 2],
  quill: [1500, 3000, 3001],
  sorrel: [],
}

type Seat = 'owner' | 'agent'
let app: TestApp
let clients: Record<Seat, Client>
/** Names of the contacts with a word, as each seat sees them, newest first. */
const found = new Map<string, string[]>()
const all: string[] = []

beforeAll(async () => {
  // Uses a database of its own, because these erased contacts keep their names, which a real erasure never allows.
  app = await testApp({ databaseUrl: await freshDatabase('search_seam') })
  const workspace = await app.workspace()
  const agent = await workspace.member()
  clients = { owner: await workspace.credential(), agent: await workspace.keyFor(agent.id) }
  // Every second contact belongs to the agent. Some contacts that a seat must not see, including erased ones, have all
  // its words.
  const rows = Array.from({ length: 2 * newest + 100 }, (_, i) => ({
    name: `Number ${i}`,
    owner_id: i % 2 === 0 ? agent.id : null,
    erased: i % 100 === 14,
    words: [] as string[],
  }))
  const seen = rows.filter(({ erased }) => !erased)
  all.push(...seen.map(({ name }) => name))
  const foreign = { owner: seen, agent: seen.filter(({ owner_id }) => owner_id === agent.id) }
  for (const [seat, its] of Object.entries(foreign)) {
    const unseen = rows.filter((row, i) => i % 7 === 0 && !its.includes(row))
    for (const row of unseen) row.words.push(...Object.keys(words).map((word) => word + seat))
    for (const [word, places] of Object.entries(words)) {
      const having = places.flatMap((place) => its[place - 1] ?? [])
      for (const row of having) row.words.push(word + seat)
      found.set(
        word + seat,
        having.map(({ name }) => name),
      )
    }
  }
  await workspace.ctx.transaction(async (tx) => {
    for (const [i, { name, owner_id, erased, words: its }] of rows.toReversed().entries()) {
      const at = new Date(app.clock.now().getTime() + i)
      const contact = contacts.create({ first_name: name, last_name: its.join(' '), tags: its }, at)
      insertContact(tx, { ...contact, owner_id, erased_at: erased ? at.toISOString() : null })
    }
  })
})
// Avoids the rate limit, which is per minute.
beforeEach(() => app.clock.advance(60_000))
afterAll(() => app[Symbol.asyncDispose]())

/** The names on all pages of a search, page by page. */
async function pagesOf(client: Client, search: string, limit: number): Promise<string[][]> {
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const from = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await client.get(`/contacts?${search}&limit=${limit}&fields=first_name${from}`)
    pages.push(body.data.map((contact: { first_name: string }) => contact.first_name))
    cursor = body.next_cursor
  }
  return pages
}

/** The expected pages. */
const inPages = (names: readonly string[], limit: number): string[][] =>
  Array.from({ length: Math.max(1, Math.ceil(names.length / limit)) }, (_, i) =>
    names.slice(i * limit, (i + 1) * limit),
  )

const searches = Object.keys(words).flatMap((word) =>
  (['owner', 'agent'] as const).map((seat) => [word, seat] as const),
)

test.each(searches)(
  'pages of every size show each contact with the tag or word %s once, newest first, for the %s',
  async (word, seat) => {
    const names = found.get(word + seat) ?? []
    for (const limit of [1, 2, 3, 4, 5, 6, 200]) {
      const by = limit % 2 === 0 ? 'tag' : 'q'
      const pages = await pagesOf(clients[seat], `${by}=${word}${seat}`, limit)
      expect(pages, `${by} ${limit}`).toEqual(inPages(names, limit))
    }
  },
)

test('pages for a word that all contacts have show each contact once, newest first', async () => {
  expect(await pagesOf(clients.owner, 'q=number', 199)).toEqual(inPages(all, 199))
})
