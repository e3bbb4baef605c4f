import { beforeEach, describe, expect, test } from 'vitest'
import { agent, app, openScene, workspace } from '#test/scenes/workspace.ts'
import { idOf } from '#test/support/fixtures.ts'

openScene()
// Each test runs in a different minute, because of the rate limit.
beforeEach(() => app.clock.advance(120_000))

const at = (hour: number, day = 9) =>
  `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`
const time = (hour: number, day?: number) => ({ starts_at: at(hour, day), ends_at: at(hour + 1, day) })

const book = async (draft: object = {}) => (await agent.post('/appointments', { ...time(10), ...draft })).body
const newContact = async (fields: object = {}) =>
  idOf(await agent.post('/contacts', { first_name: 'Ada', ...fields }))

interface Entry {
  event: string
  data: Record<string, unknown>
}

/** Names of the events of an appointment, oldest first. */
const eventsOf = async (id: unknown): Promise<Entry[]> => {
  const { body } = await agent.get('/events?limit=200')
  return (body['data'] as Entry[]).filter(({ data }) => data['id'] === id).toReversed()
}
const namesOf = async (id: unknown) => (await eventsOf(id)).map(({ event }) => event)

describe('rejected requests', () => {
  const issue = (path: string) => ({ error: { details: [{ path }] } })
  test.each([
    ['only a start', { ends_at: undefined }, issue('ends_at')],
    ['only an end', { starts_at: undefined }, issue('starts_at')],
    ['an end before the start', { ends_at: at(9) }, issue('ends_at')],
    ['no time at all', { ends_at: at(10) }, issue('ends_at')],
    ['more than 14 days', { ends_at: '2026-03-23T10:00:00.001Z' }, issue('ends_at')],
    ['a time without an offset', { starts_at: '2026-03-09T10:00:00' }, issue('starts_at')],
    ['an unknown time zone', { timezone: 'America/Chicagoo' }, issue('timezone')],
    ['an attendee of two kinds', { attendees: [{ name: 'Bo', contact_id: 'c' }] }, issue('attendees.0')],
    ['an attendee of no kind', { attendees: [{ name: 'Bo' }, {}] }, issue('attendees.1')],
  ])('%s returns 400', async (_, changes, body) => {
    expect(await agent.post('/appointments', { ...time(10), ...changes })).toMatchObject({
      status: 400,
      body,
    })
  })

  test.each([{ starts_at: at(12) }, { ends_at: at(12) }])('a move with %o alone returns 400', async (end) => {
    const { id } = await book()
    const missing = 'starts_at' in end ? 'ends_at' : 'starts_at'
    expect(await agent.patch(`/appointments/${id}`, end)).toMatchObject({ status: 400, body: issue(missing) })
    expect(await namesOf(id)).toEqual(['appointment.booked'])
  })

  test('an appointment can last 14 days', async () => {
    expect(await book({ ends_at: '2026-03-23T10:00:00.000Z' })).toMatchObject({ status: 'scheduled' })
  })

  test('an unknown person returns 404 with the path', async () => {
    const [contact, member] = [await newContact(), (await workspace.member()).id]
    const attendees = [
      { contact_id: contact },
      { contact_id: member },
      { member_id: member },
      { member_id: contact },
    ]
    const named = await agent.post('/appointments', { ...time(10), contact_id: member, attendees })
    expect(named).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    const paths = (named.body['error'].details as { path: string }[]).map(({ path }) => path)
    expect(paths).toEqual(['contact_id', 'attendees.1.contact_id'])
    const members = await agent.post('/appointments', { ...time(10), attendees: attendees.slice(2) })
    expect(members).toMatchObject({ status: 404, body: issue('attendees.1.member_id') })
  })

  test('an erased contact and an inactive host return 409', async () => {
    const [contact, member] = [await newContact(), await workspace.member()]
    await agent.delete(`/contacts/${contact}`)
    const owner = await workspace.owner()
    await agent.request('PATCH', `/members/${member.id}`, {
      body: { active: false },
      headers: await owner(),
    })
    const { id } = await book()
    for (const [body, code] of [
      [{ contact_id: contact }, 'contact_erased'],
      [{ attendees: [{ contact_id: contact }] }, 'contact_erased'],
      [{ host_id: member.id }, 'member_inactive'],
    ] as const) {
      const expected = { status: 409, body: { error: { code } } }
      expect(await agent.post('/appointments', { ...time(10), ...body })).toMatchObject(expected)
      expect(await agent.patch(`/appointments/${id}`, body)).toMatchObject(expected)
    }
  })
})

describe('a booking', () => {
  test('takes its host from the acting member or the contact, and its time zone from the host', async () => {
    const [host, other] = [await workspace.member(), await workspace.member()]
    await agent.patch(`/agents/${host.id}`, { timezone: 'America/Denver' })
    const contact_id = await newContact({ owner_id: host.id })
    expect(await book({ contact_id })).toMatchObject({ host_id: host.id, timezone: 'America/Denver' })
    expect(await book()).toMatchObject({ host_id: null, timezone: 'America/New_York' })
    const key = await workspace.keyFor(host.id)
    const own = await key.post('/appointments', time(20))
    expect(own.body).toMatchObject({ host_id: host.id, created_by: { type: 'api_key', id: key.keyId } })
    expect((await key.post('/appointments', { ...time(20), host_id: other.id })).status).toBe(404)
    const foreign = await newContact({ owner_id: other.id })
    expect((await key.post('/appointments', { ...time(20), contact_id: foreign })).status).toBe(404)
  })

  test('lists each attendee once, in order of first mention', async () => {
    const [ada, bo] = [await newContact(), await newContact({ first_name: 'Bo' })]
    const attendees = [{ contact_id: bo }, { contact_id: ada }, { contact_id: bo }]
    expect((await book({ attendees }))['attendees']).toMatchObject([{ contact_id: bo }, { contact_id: ada }])
  })

  test('is on the timelines of all its contacts', async () => {
    const [ada, bo] = [await newContact(), await newContact({ first_name: 'Bo' })]
    const { id } = await book({ contact_id: ada, attendees: [{ contact_id: bo }, { name: 'Cy' }] })
    await agent.patch(`/appointments/${id}`, { outcome: 'showed' })
    for (const contact of [ada, bo]) {
      const { body } = await agent.get(`/contacts/${contact}/events`)
      const entries = (body['data'] as { type: string; title: string }[]).filter(
        ({ type }) => type === 'appointment',
      )
      expect(entries.map(({ title }) => title)).toEqual(['Appointment: showed', 'Appointment booked'])
      const { body: list } = await agent.get(`/appointments?contact_id=${contact}`)
      expect(list['data'].map((one: { id: string }) => one.id)).toEqual([id])
    }
  })

  test('lists overlapping appointments as conflicts, but not adjacent or cancelled ones', async () => {
    const host_id = (await workspace.member()).id
    const first = await book({ host_id, starts_at: at(1), ends_at: at(12) })
    await book({ host_id, starts_at: at(0), ends_at: at(10) })
    await book({ host_id, starts_at: at(11), ends_at: at(13) })
    await book({ starts_at: at(10), ends_at: at(11) })
    const cancelled = await book({ host_id })
    await agent.patch(`/appointments/${cancelled.id}`, { outcome: 'cancelled' })
    const long = await book({ host_id, starts_at: '2026-02-23T11:00:00.000Z', ends_at: at(11) })
    const { conflicts } = await book({ host_id })
    expect(conflicts).toEqual([
      { id: long.id, starts_at: long.starts_at, ends_at: long.ends_at },
      { id: first.id, starts_at: first.starts_at, ends_at: first.ends_at },
    ])
  })

  test('with if_free succeeds only once out of 16 at the same time', async () => {
    const host_id = (await workspace.member()).id
    const responses = await Promise.all(
      Array.from({ length: 16 }, () => agent.post('/appointments', { ...time(10), host_id, if_free: true })),
    )
    const statuses = responses.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([201, ...Array.from({ length: 15 }, () => 409)])
    for (const { status, body } of responses) if (status === 409) expect(body['error'].code).toBe('host_busy')
  })
})

describe('a change', () => {
  test('of the time counts as a move unless the time stays the same', async () => {
    const { id } = await book({ timezone: 'UTC' })
    const moved = await agent.patch(`/appointments/${id}`, time(12))
    expect(moved.body).toMatchObject({ ...time(12), reschedule_count: 1, timezone: 'UTC' })
    const again = await agent.patch(`/appointments/${id}`, {
      starts_at: '2026-03-09T13:00:00+01:00',
      ends_at: at(13),
    })
    expect(again.body).toEqual(moved.body)
    const [, rescheduled, ...more] = await eventsOf(id)
    expect(more).toEqual([])
    expect(rescheduled).toMatchObject({
      event: 'appointment.rescheduled',
      data: { ...time(12), previous_starts_at: at(10), previous_ends_at: at(11) },
    })
  })

  test('of time and outcome at once is first a move, then an outcome', async () => {
    const { id } = await book()
    const { body } = await agent.patch(`/appointments/${id}`, { ...time(8), outcome: 'showed' })
    expect(body).toMatchObject({ ...time(8), outcome: 'showed', status: 'completed' })
    expect((await namesOf(id)).slice(1)).toEqual(['appointment.rescheduled', 'appointment.outcome'])
  })

  test('of the outcome can correct it, but the appointment can no longer be moved', async () => {
    const { id } = await book()
    const outcome = (one: string) => agent.patch(`/appointments/${id}`, { outcome: one })
    expect((await outcome('no-show')).body).toMatchObject({ outcome: 'no-show', status: 'completed' })
    app.clock.advance(1000)
    await outcome('no-show')
    expect((await outcome('cancelled')).body).toMatchObject({ outcome: 'cancelled', status: 'cancelled' })
    const closed = await agent.patch(`/appointments/${id}`, time(8))
    expect(closed).toMatchObject({ status: 409, body: { error: { code: 'appointment_closed' } } })
    expect((await agent.patch(`/appointments/${id}`, time(10))).status).toBe(200)
    const outcomes = (await eventsOf(id)).slice(1)
    expect(outcomes.map(({ data }) => data['outcome'])).toEqual(['no-show', 'cancelled'])
  })

  test('of details publishes appointment.updated with the changed fields', async () => {
    const { id } = await book({ location: 'Elm Street' })
    await agent.patch(`/appointments/${id}`, { location: 'Oak Street', title: 'Call 312-555-0188 first' })
    const [, updated] = await eventsOf(id)
    expect(updated).toMatchObject({
      event: 'appointment.updated',
      data: {
        changes: [
          { field: 'title', from: null, to: expect.stringContaining('******0188') },
          { field: 'location', from: 'Elm Street', to: 'Oak Street' },
        ],
      },
    })
  })

  test('to a busy time reports a conflict, and returns 409 with if_free', async () => {
    const host_id = (await workspace.member()).id
    const [busy, { id }] = [await book({ host_id }), await book({ host_id, ...time(15) })]
    const rejected = await agent.patch(`/appointments/${id}`, { ...time(10), if_free: true })
    expect(rejected).toMatchObject({ status: 409, body: { error: { code: 'host_busy' } } })
    const moved = await agent.patch(`/appointments/${id}`, time(10))
    expect(moved.body['conflicts'].map((one: { id: string }) => one.id)).toEqual([busy.id])
  })

  test('made 16 times at once counts every move, with no move after the outcome', async () => {
    const { id } = await book()
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        agent.patch(`/appointments/${id}`, i === 7 ? { outcome: 'showed' } : time(i, 10)),
      ),
    )
    const moves = responses.filter(({ status }, i) => i !== 7 && status === 200)
    const { body } = await agent.get(`/appointments/${id}`)
    expect(body).toMatchObject({ outcome: 'showed', reschedule_count: moves.length })
    const events = await namesOf(id)
    expect(events.at(-1)).toBe('appointment.outcome')
    expect(events.filter((name) => name === 'appointment.rescheduled')).toHaveLength(moves.length)
  })
})

test('the list filters by overlap with a time range', async () => {
  const host_id = (await workspace.member()).id
  const ids = [await book({ host_id }), await book({ host_id, ...time(11) })].map(({ id }) => id)
  const found = async (from: string, to: string) => {
    const { body } = await agent.get(`/appointments?host_id=${host_id}&from=${from}&to=${to}`)
    return body['data'].map((one: { id: string }) => one.id)
  }
  expect(await found(at(10), at(12))).toEqual(ids.toReversed())
  expect(await found(at(11), at(12))).toEqual(ids.slice(1))
  expect(await found(at(9), at(10))).toEqual([])
})

test('the list filters by contact id, and not by email address', async () => {
  const contact_id = await newContact({})
  const { id } = await book({ contact_id, attendees: [{ email: 'liz@lind.example' }] })
  const found = async (person: string) =>
    (await agent.get(`/appointments?contact_id=${person}`)).body['data'].map((one: { id: string }) => one.id)
  expect([await found(contact_id), await found('liz@lind.example')]).toEqual([[id], []])
})

test('an erasure keeps an attendee whose address now belongs to another contact', async () => {
  const erased = await newContact({ email: 'moved@lind.example' })
  await agent.patch(`/contacts/${erased}`, { email: 'elsewhere@lind.example' })
  await newContact({ email: 'moved@lind.example' })
  const { id } = await book({ title: 'Showing', attendees: [{ email: 'moved@lind.example' }] })
  await agent.delete(`/contacts/${erased}`)
  expect((await agent.get(`/appointments/${id}`)).body).toMatchObject({ title: 'Showing', attendees: [{}] })
})

test('an erasure clears texts for good, even if the contact attends only by email address', async () => {
  const contact_id = await newContact({ email: 'Ada@Reyes.example' })
  const texts = {
    title: 'Showing with Ada',
    location: 'Ada’s porch',
    meeting_url: 'https://meet.example/ada',
  }
  const own = await book({ contact_id, ...texts, attendees: [{ name: 'Bo Reyes' }] })
  const named = await book({ ...texts, attendees: [{ name: 'Ada', email: 'ada@reyes.EXAMPLE' }] })
  const joined = await book(texts)
  await agent.patch(`/appointments/${own.id}`, { location: 'Ada’s garden' })
  await agent.patch(`/appointments/${joined.id}`, { contact_id })
  await agent.delete(`/contacts/${contact_id}`)
  for (const { id } of [own, named, joined]) {
    const { body } = await agent.get(`/appointments/${id}`)
    expect(body).toMatchObject({ title: null, location: null, meeting_url: null, attendees: [], ...time(10) })
  }
  for (const { id } of [own, named, joined])
    for (const { data } of await eventsOf(id)) expect(JSON.stringify(data)).not.toMatch(/Ada/)
  const rewritten = await agent.patch(`/appointments/${own.id}`, { title: 'Ada again' })
  expect(rewritten).toMatchObject({ status: 409, body: { error: { code: 'contact_erased' } } })
  expect((await agent.patch(`/appointments/${own.id}`, { ...time(12), outcome: 'showed' })).status).toBe(200)
})
