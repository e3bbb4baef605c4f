import { beforeEach, describe, expect, test } from 'vitest'
import { agent, app, openScene, workspace } from '#test/scenes/workspace.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'

openScene()
beforeEach(() => app.clock.advance(120_000))

const at = (hour: number) => `2026-04-06T${String(hour).padStart(2, '0')}:00:00.000Z`
const day = `from=${at(0)}&to=${at(23)}`

describe('GET /calendar', () => {
  const show = async (client: Client, query: string) => {
    const { body } = await client.get(`/calendar?${query}`)
    return (body['data'] as { kind: string; title: string }[]).map(({ kind, title }) => `${kind} ${title}`)
  }

  test('shows what overlaps the range, in order, without anything cancelled or deleted', async () => {
    const [host, other] = [(await workspace.member()).id, (await workspace.member()).id]
    const book = async (title: string, from: number, to: number, host_id = host) =>
      idOf(await agent.post('/appointments', { title, starts_at: at(from), ends_at: at(to), host_id }))
    const plan = async (title: string, due?: number, assignee_id = host) =>
      idOf(
        await agent.post('/tasks', { title, assignee_id, ...(due === undefined ? {} : { due_at: at(due) }) }),
      )
    await book('before', 7, 9)
    await book('noon', 12, 13)
    await book('over', 8, 10)
    await book('other', 12, 13, other)
    await book('touches', 15, 16)
    await agent.patch(`/appointments/${await book('cancelled', 12, 13)}`, { outcome: 'cancelled' })
    await plan('due', 11)
    await plan('at the end', 15)
    await plan('without a time')
    await agent.delete(`/tasks/${await plan('deleted', 11)}`)
    await agent.patch(`/tasks/${await plan('dropped', 11)}`, { status: 'cancelled' })
    const between = `from=${at(9)}&to=${at(15)}`
    const shown = ['appointment over', 'task due', 'appointment noon']
    expect(await show(agent, `${between}&host_id=${host}`)).toEqual(shown)
    expect(await show(await workspace.keyFor(host), between)).toEqual(shown)
    expect(await show(agent, `${between}&host_id=${other}`)).toEqual(['appointment other'])
    expect(await show(await workspace.keyFor(host), `${between}&host_id=${other}`)).toEqual([])
  })

  test('shows open houses and deal dates to anyone who may read them', async () => {
    const [host, other] = [(await workspace.member()).id, (await workspace.member()).id]
    const list = async (street_name: string, from: number, to: number, more: object = {}) =>
      agent.post('/listings', {
        street_number: '48',
        street_name,
        city: 'Evanston',
        list_price: 489_000,
        list_agent_id: host,
        open_houses: [{ starts_at: at(from), ends_at: at(to) }],
        ...more,
      })
    const homes = {
      over: await list('Over', 8, 10),
      other: await list('Other', 9, 10, { list_agent_id: other }),
    }
    await list('Before', 7, 9)
    await list('After', 15, 16)
    await list('Withdrawn', 9, 10, { status: 'withdrawn' })
    const moved = idOf(await list('Moved', 9, 10))
    await agent.patch(`/listings/${moved}`, { open_houses: [] })
    await agent.delete(`/listings/${idOf(await list('Deleted', 9, 10))}`)
    const deal = async (name: string, more: object) =>
      idOf(await agent.post('/deals', { name, owner_id: host, ...more }))
    const reyes = await deal('Reyes', {
      inspection_date: '2026-04-06',
      appraisal_date: '2026-04-05',
      expected_close_date: '2026-04-07',
      address: { street: '12 Elm Street', city: 'Evanston' },
    })
    await deal('Other', { inspection_date: '2026-04-06', owner_id: other })
    await deal('Closed', { expected_close_date: '2026-04-06', close_date: '2026-04-05' })
    for (const status of ['lost', 'cancelled'])
      await agent.patch(`/deals/${await deal(status, { inspection_date: '2026-04-06' })}`, { status })
    await agent.delete(`/deals/${await deal('deleted', { inspection_date: '2026-04-06' })}`)
    const between = `from=${at(9)}&to=${at(15)}`
    const openHouse = {
      kind: 'open_house',
      id: idOf(homes.over),
      type: 'open_house',
      status: 'incomplete',
      title: null,
      location: '48 Over, Evanston',
      date: null,
      starts_at: at(8),
      ends_at: at(10),
      member_id: host,
      contact_id: null,
    }
    const inspection = {
      kind: 'deal_date',
      id: reyes,
      type: 'inspection_date',
      status: 'open',
      title: 'Reyes',
      location: '12 Elm Street, Evanston',
      date: '2026-04-06',
      // Midnight in New York, the workspace's time zone.
      starts_at: at(4),
      ends_at: null,
      member_id: host,
      contact_id: null,
    }
    const shown = async (client: Client, query = '') =>
      (await client.get(`/calendar?${between}${query}`)).body['data']
    expect(await shown(agent, `&host_id=${host}`)).toEqual([inspection, openHouse])
    expect(await shown(await workspace.keyFor(host))).toEqual([inspection, openHouse])
    expect(await shown(agent, `&host_id=${other}`)).toMatchObject([
      { title: 'Other', type: 'inspection_date' },
      { id: idOf(homes.other) },
    ])
    for (const [scopes, seen] of [
      [[], []],
      [['listings:read'], [openHouse]],
      [['deals:read'], [inspection]],
    ] as const)
      expect(
        await shown(await workspace.credential('appointments:read', ...scopes), `&host_id=${host}`),
      ).toEqual(seen)

    await agent.patch(`/deals/${reyes}`, { inspection_date: null, possession_date: '2026-04-06' })
    expect(await shown(agent, `&host_id=${host}`)).toMatchObject([{ type: 'possession_date' }, openHouse])
    await agent.patch(`/deals/${reyes}`, { owner_id: other })
    expect(await shown(await workspace.keyFor(host))).toEqual([openHouse])
  })

  test.each([
    ['the last of a day', '2026-04-07T03:59:59.999Z', '2026-04-07T04:00:00Z', ['2026-04-06']],
    ['the first of a day', '2026-04-07T04:00:00Z', '2026-04-07T04:00:00.001Z', ['2026-04-07']],
    ['a day', '2026-04-06T04:00:00Z', '2026-04-07T04:00:00Z', ['2026-04-06']],
    ['all of the first days', '0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z', ['0001-01-01']],
    ['all of the last days', '9999-12-31T00:00:00Z', '9999-12-31T23:59:59Z', ['9999-12-30', '9999-12-31']],
  ])('%s shows the deal dates on it in the workspace’s time zone', async (_, from, to, expected) => {
    const days = ['0001-01-01', '2026-04-06', '2026-04-07', '9999-12-30', '9999-12-31']
    const owner_id = (await workspace.member()).id
    for (const inspection_date of days) await agent.post('/deals', { owner_id, inspection_date })
    const { body } = await agent.get(`/calendar?from=${from}&to=${to}&host_id=${owner_id}`)
    expect((body['data'] as { date: string }[]).map(({ date }) => date)).toEqual(expected)
  })

  test('shows at most 2,000 entries and sets has_more if there are others', async () => {
    const crowded = await app.workspace()
    const reader = await crowded.credential('appointments:read')
    const fill = (count: number) =>
      asOwner(
        app.databaseUrl,
        `insert into tasks (workspace_id, id, title, type, status, priority, due_at, created_by, created_at, updated_at)
         select $1, 'c' || lpad(n::text, 24, '0'), 'Task', 'call', 'open', 'low', $2::timestamptz + n * interval '1 s',
           '{"type": "system", "id": null}', now(), now() from generate_series(1, $3) n on conflict do nothing`,
        [crowded.id, at(9), count],
      )
    await fill(2000)
    const full = (await reader.get(`/calendar?${day}`)).body
    expect([full['data'].length, full['has_more']]).toEqual([2000, false])
    await fill(2001)
    expect((await reader.get(`/calendar?${day}`)).body).toEqual({ ...full, has_more: true })
  })

  test.each([
    [`from=${at(9)}&to=${at(9)}`, 400],
    ['from=2026-01-01T00:00:00Z&to=2026-03-04T00:00:00.001Z', 400],
    ['from=2026-01-01T00:00:00Z&to=2026-03-04T00:00:00Z', 200],
    ['', 200],
  ])('?%s returns %i', async (query, expected) => {
    for (const path of ['/calendar', '/availability'])
      expect((await agent.get(`${path}?${query}`)).status).toBe(expected)
  })
})

test('GET /availability shows shifts minus appointments for the members in reach', async () => {
  const [host, other] = [(await workspace.member('Bo')).id, (await workspace.member()).id]
  const shifts = [{ days: ['mon'], from: '09:00', to: '12:00' }]
  await agent.patch(`/agents/${host}`, { shifts, timezone: 'America/Denver' })
  const book = (body: object) => agent.post('/appointments', { host_id: host, ...body })
  await book({ starts_at: at(16), ends_at: at(17) })
  const cancelled = await book({ starts_at: at(17), ends_at: at(18) })
  await agent.patch(`/appointments/${idOf(cancelled)}`, { outcome: 'cancelled' })
  const key = await workspace.keyFor(host)
  const { body } = await key.get(`/availability?${day}`)
  const free = [
    { starts_at: at(15), ends_at: at(16) },
    { starts_at: at(17), ends_at: at(18) },
  ]
  expect(body['data']).toMatchObject([{ id: host, name: 'Bo', timezone: 'America/Denver', free }])
  expect((await key.get(`/availability?${day}&host_id=${other}`)).body['data']).toEqual([])
  const [unlimited] = (await agent.get(`/availability?${day}&host_id=${other}`)).body['data']
  expect(unlimited).toMatchObject({
    timezone: 'America/New_York',
    free: [{ starts_at: at(0), ends_at: at(23) }],
  })
})
