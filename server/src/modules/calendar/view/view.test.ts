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

  test('shows what overlaps the time, in order, and nothing that is cancelled or deleted', async () => {
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

  test('shows 2,000 entries at most, and says that there are more', async () => {
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
  ])('?%s is %i', async (query, expected) => {
    for (const path of ['/calendar', '/availability'])
      expect((await agent.get(`${path}?${query}`)).status).toBe(expected)
  })
})

test('GET /availability shows shifts less appointments, of the members in reach', async () => {
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
