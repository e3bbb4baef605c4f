import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import { newId } from '#kernel/ids.ts'
import { caldavCalendars } from '../../src/adapters/caldav/caldav-calendars.ts'
import { calendarFile } from '../../src/modules/calendar/event-file.ts'
import type { CalendarHost } from './calendar-server.ts'

const row = {
  title: 'Showing; Ada, “48 Alder Court”',
  type: 'showing' as const,
  status: 'scheduled' as const,
  starts_at: '2026-03-09T16:00:00.000Z',
  ends_at: '2026-03-09T16:45:00.000Z',
  location: '12 Elm Street',
  meeting_url: null,
  updated_at: '2026-03-02T15:00:00.000Z',
}

const eventIn = (file: string) =>
  new ICAL.Event(ICAL.Component.fromString(file).getFirstSubcomponent('vevent') ?? undefined)

const alarm = [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  'DESCRIPTION:Leave',
  'TRIGGER:-PT30M',
  'END:VALARM',
  '',
].join('\r\n')

/** What every CalDAV server must do with us: the emulated one, and a real one. */
export function describeCalendarServer(name: string, start: () => Promise<CalendarHost>): void {
  describe(`${name}`, () => {
    let host: CalendarHost
    let egress: Egress
    let calendars: ReturnType<typeof caldavCalendars>
    const account = () => ({
      username: host.username,
      password: host.password,
      origins: [new URL(host.address).origin],
    })
    const event = (sequence: number, id = newId(new Date())) => ({
      id,
      file: calendarFile({ ...row, id, sequence }),
    })
    const placeOf = ({ id }: { id: string }) => `${host.calendarUrl}${id}.ics`
    const read = async (one: { id: string }) => (await host.ask('GET', placeOf(one))).text()
    const put = (one: { id: string; file: string }, etag: string | null) =>
      calendars.put(account(), host.calendarUrl, { ...one, etag })

    beforeAll(async () => {
      host = await start()
      egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback', timeoutMs: 5000 })
      calendars = caldavCalendars(egress)
    })
    afterAll(async () => {
      await egress[Symbol.asyncDispose]()
      await host[Symbol.asyncDispose]()
    })

    test('its calendars are discovered from the address alone, without task lists', async () => {
      const found = await calendars.discover(account(), host.address)
      expect(found).toMatchObject({ kind: 'found' })
      const urls = found.kind === 'found' ? found.calendars.map(({ url }) => url) : []
      expect(urls).toContain(host.calendarUrl)
      expect(urls.join()).not.toContain('todo')
      expect(await calendars.test(account(), host.calendarUrl)).toEqual({ kind: 'ok' })
    })

    test('a wrong password is unauthorized for every operation', async () => {
      const wrong = { ...account(), password: 'wrong' }
      const outcomes = await Promise.all([
        calendars.discover(wrong, host.address),
        calendars.test(wrong, host.calendarUrl),
        calendars.put(wrong, host.calendarUrl, { ...event(0), etag: null }),
        calendars.remove(wrong, host.calendarUrl, event(0).id),
      ])
      expect(outcomes.map(({ kind }) => kind)).toEqual(Array(4).fill('unauthorized'))
    })

    test('an event is created, replaced, and removed, in UTC and without attendees', async () => {
      const created = event(0)
      const first = await put(created, null)
      expect(first).toMatchObject({ kind: 'put', etag: expect.any(String) })
      expect(eventIn(await read(created))).toMatchObject({ uid: created.id, summary: row.title, sequence: 0 })
      const etag = first.kind === 'put' ? first.etag : null
      expect(await put(event(1, created.id), etag)).toMatchObject({ kind: 'put' })
      const file = await read(created)
      expect(eventIn(file)).toMatchObject({ sequence: 1 })
      expect(file).toContain('DTSTART:20260309T160000Z')
      expect(file).not.toMatch(/METHOD|ATTENDEE|ORGANIZER|VTIMEZONE/)
      for (const _ of [1, 2])
        expect(await calendars.remove(account(), host.calendarUrl, created.id)).toEqual({ kind: 'removed' })
      expect((await host.ask('GET', placeOf(created))).status).toBe(404)
    })

    test.each([
      'Lines\nand; commas, “quotes” \\ and back\\nslashes',
      '🏠'.repeat(50),
      'مرحبا, Ada',
      'x'.repeat(200),
    ])('the text %j is stored unchanged', async (text) => {
      const id = newId(new Date())
      const file = calendarFile({ ...row, title: text, location: text, id, sequence: 0 })
      expect(await put({ id, file }, null)).toMatchObject({ kind: 'put' })
      expect(eventIn(await read({ id }))).toMatchObject({
        // A title is one line.
        summary: text.replace('\n', ' '),
        location: text,
      })
    })

    test('creating an event again after a lost response updates the same event', async () => {
      const created = event(0)
      await put(created, null)
      expect(await put(event(1, created.id), null)).toMatchObject({ kind: 'put' })
      expect(eventIn(await read(created))).toMatchObject({ uid: created.id, sequence: 1 })
    })

    test('changes made on the server are overwritten, except alarms', async () => {
      const created = event(0)
      const first = await put(created, null)
      const remote = (await read(created))
        .replace(/LOCATION:[^\r\n]*/, 'LOCATION:Elsewhere')
        .replace('END:VEVENT', `${alarm}END:VEVENT`)
      const headers = { 'content-type': 'text/calendar; charset=utf-8' }
      expect((await host.ask('PUT', placeOf(created), remote, headers)).ok).toBe(true)
      const etag = first.kind === 'put' ? first.etag : null
      expect(await put(event(2, created.id), etag)).toMatchObject({ kind: 'put' })
      const kept = eventIn(await read(created))
      expect(kept).toMatchObject({ location: row.location, sequence: 2 })
      const alarms = kept.component.getAllSubcomponents('valarm')
      expect(alarms.map((one) => String(one.getFirstPropertyValue('trigger')))).toEqual(['-PT30M'])
    })

    test('an event deleted on the server is gone, and can be created again', async () => {
      const created = event(0)
      const first = await put(created, null)
      await host.ask('DELETE', placeOf(created))
      expect(await put(event(1, created.id), first.kind === 'put' ? first.etag : null)).toEqual({
        kind: 'gone',
      })
      expect((await host.ask('GET', placeOf(created))).status).toBe(404)
      expect(await put(event(2, created.id), null)).toMatchObject({ kind: 'put' })
    })

    test('a missing calendar is a failure', async () => {
      const outcome = await calendars.put(account(), host.calendarUrl.replace(/\w+\/$/, 'nowhere/'), {
        ...event(0),
        etag: null,
      })
      expect(outcome.kind).toBe('failed')
    })
  })
}
