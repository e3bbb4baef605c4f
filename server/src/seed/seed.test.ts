import { expect, test } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { testClock } from '#test/support/clock.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { openHouse } from '../app.ts'
import { people } from './people.ts'
import { seededRandom } from './random.ts'
import { type SeedProgress, demoCount, findDemo, seedDemo } from './seed-demo.ts'

const now = '2026-03-02T15:00:00.000Z'

async function openSeedHouse(name: string) {
  const databaseUrl = await freshDatabase(name)
  const house = openHouse({ databaseUrl, clock: testClock(now), log: createLog('silent'), checkRows: true })
  const rows = (text: string, values: unknown[] = []) =>
    asOwner<Record<string, unknown>>(databaseUrl, text, values)
  return { house, rows, [Symbol.asyncDispose]: () => house.database[Symbol.asyncDispose]() }
}

test('the demo is a brokerage and a tiny workspace, told from its first day to yesterday', async () => {
  await using seed = await openSeedHouse('seed')
  const progress: SeedProgress[] = []
  const { workspaces } = await seedDemo(seed.house, { onProgress: (step) => progress.push(step) })
  const [brokerage, solo] = workspaces.map(({ id }) => id)
  const count = async (table: string, id: unknown) =>
    (await seed.rows(`select count(*)::int as n from ${table} where workspace_id = $1`, [id]))[0]?.['n']

  expect(
    await Promise.all(
      ['offices', 'teams', 'members', 'contacts', 'api_keys'].map((table) => count(table, brokerage)),
    ),
  ).toEqual([3, 5, 12, 1200, 1])
  expect([await count('members', solo), await count('contacts', solo)]).toEqual([1, 8])
  expect(progress.at(-1)).toEqual({ label: 'Juniper Street Homes', done: 8, total: 8 })

  const stages = await seed.rows(
    'select stage, count(*)::int as n from contacts where workspace_id = $1 group by 1',
    [brokerage],
  )
  expect(stages).toHaveLength(7)
  const least = Math.min(...stages.map(({ n }) => n))
  expect(least).toBeGreaterThan(20)

  const [reach] =
    await seed.rows(`select min(occurred_at) < timestamptz '${now}' - interval '500 days' as early,
    max(occurred_at) < timestamptz '2026-03-02' as over, max(occurred_at) > timestamptz '${now}' - interval '4 days' as recent,
    count(distinct name)::int as names from events`)
  expect(reach).toEqual({ early: true, over: true, recent: true, names: 5 })
})

test('nothing in the demo can reach a real person', async () => {
  await using seed = await openSeedHouse('seed')
  await seedDemo(seed.house, {})
  const real = await seed.rows(`select phone, email from contacts
    where phone !~ '^\\+1[2-9][0-9]{2}55501[0-9]{2}$' or email !~ '^[a-z.0-9]+@[a-z]+\\.example$'`)
  expect(real).toEqual([])
  expect(await seed.rows(`select email from members where email !~ '^[a-z]+@[a-z]+\\.example$'`)).toEqual([])
  const written = "select data->>'body' as body from events where name = 'note.added'"
  const notes = await seed.rows(`${written} union all select notes from contacts where notes is not null`)
  expect(notes.filter(({ body }) => /[{}]|undefined|null|\d{3}-\d{4}|@/.test(body))).toEqual([])
})

test('a contact is as its history says', async () => {
  await using seed = await openSeedHouse('seed')
  await seedDemo(seed.house, {})
  const last = await seed.rows(`select c.stage, coalesce(
      (select e.data->>'to' from events e where e.timeline_id = c.id and e.name = 'contact.stage_changed' order by e.id desc limit 1),
      (select e.data->>'stage' from events e where e.timeline_id = c.id and e.name = 'contact.created')) as told
    from contacts c`)
  expect(last.filter(({ stage, told }) => stage !== told)).toEqual([])
  const [misplaced] =
    await seed.rows(`select count(*)::int as n from events e join contacts c on c.id = e.timeline_id
    where e.occurred_at < c.created_at`)
  expect(misplaced).toEqual({ n: 0 })
  const [left] = await seed.rows(
    `select count(*)::int as n from contacts c join members m on m.id = c.owner_id where not m.active`,
  )
  expect(left).toEqual({ n: 0 })
})

test('the same day makes the same data, ids and secrets apart', async () => {
  const told = async (name: string) => {
    await using seed = await openSeedHouse(name)
    await seedDemo(seed.house, {})
    const contacts =
      await seed.rows(`select first_name, last_name, email, phone, stage, source, tags, notes, ai_auto_response,
      created_at, updated_at, (select name from members m where m.id = owner_id) as owner from contacts order by created_at, email, phone`)
    const events =
      await seed.rows(`select name, occurred_at, actor->>'name' as actor, data->>'body' as body, data->>'tag' as tag
      from events order by occurred_at, name, tag, body`)
    return { contacts, events }
  }
  const [one, other] = [await told('seed'), await told('seed_again')]
  expect(one.contacts).toHaveLength(1208)
  expect(one).toEqual(other)
})

test('a workspace that is there already is kept and gets one more key', async () => {
  await using seed = await openSeedHouse('seed')
  const before = (await seedDemo(seed.house, {})).workspaces
  const after = (await seedDemo(seed.house, {})).workspaces
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(after.map(({ api_key }) => api_key)).not.toEqual(before.map(({ api_key }) => api_key))
  expect(await findDemo(seed.house)).toHaveLength(demoCount)
})

test('a crowd shares no names and no addresses', () => {
  const crowd = people(seededRandom(7))
  const met = Array.from({ length: 5000 }, () => crowd.next().value)
  expect(new Set(met.map(({ email }) => email)).size).toBe(5000)
  expect(new Set(met.map(({ first_name, last_name }) => `${first_name} ${last_name}`)).size).toBe(5000)
})
