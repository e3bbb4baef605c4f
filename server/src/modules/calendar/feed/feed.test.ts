import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { agent, app, openScene, workspace } from '#test/scenes/workspace.ts'
import { testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { createFeed, removeFeed } from './feed.ts'

openScene()

const dayMs = 86_400_000
const inDays = (days: number) => {
  const start = app.clock.now().getTime() + days * dayMs
  return { starts_at: new Date(start).toISOString(), ends_at: new Date(start + 3_600_000).toISOString() }
}
const read = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

test('a feed has the appointments from 30 days ago to a year ahead, without numbers and addresses', async () => {
  const [host_id, other] = [(await workspace.member('Hana Ito')).id, (await workspace.member()).id]
  const book = async (title: string, days: number, host = host_id, more: object = {}) =>
    idOf(await agent.post('/appointments', { title, host_id: host, ...inDays(days), ...more }))
  await book('Long ago', -31)
  await book('Last week', -29)
  await book('Call 312-555-0188, ada@reyes.example', 1, host_id, {
    location: 'Ring 312-555-0199',
    meeting_url: 'https://meet.example/312-555-0177',
    attendees: [{ name: 'Bo', email: 'bo@lind.example' }],
  })
  await book('In a year', 364)
  await book('Later', 366)
  await book('Of another', 1, other)
  await agent.patch(`/appointments/${await book('Off', 2)}`, { outcome: 'cancelled' })
  const { url } = await createFeed(workspace.ctx, host_id)
  const { status, type, text } = await read(url)
  expect([status, type]).toEqual([200, 'text/calendar; charset=utf-8'])
  const titles = [...text.matchAll(/SUMMARY:(.*)\r/g)].map(([, title]) => title)
  expect(titles).toEqual(['Last week', expect.stringContaining('Call ******0188'), 'In a year'])
  expect(text).not.toMatch(/555-?01|reyes\.example.*ada@|ada@|lind\.example|ATTENDEE|METHOD/)
  const stored = await asOwner<{ row: string }>(
    app.databaseUrl,
    'select row_to_json(f)::text as row from calendar_feeds f',
  )
  expect(JSON.stringify(stored)).not.toContain(url.slice(-40, -4))
})

test('a feed URL stops working when it is replaced or removed, or its member is deactivated', async () => {
  const { id } = await workspace.member()
  const addresses = [await createFeed(workspace.ctx, id)]
  const statuses = async () => Promise.all(addresses.map(async ({ url }) => (await read(url)).status))
  addresses.push(await createFeed(workspace.ctx, id))
  expect(await statuses()).toEqual([404, 200])
  await removeFeed(workspace.ctx, id)
  addresses.push(await createFeed(workspace.ctx, id))
  expect(await statuses()).toEqual([404, 404, 200])
  const owner = await workspace.owner()
  await agent.request('PATCH', `/members/${id}`, { body: { active: false }, headers: await owner() })
  expect(await statuses()).toEqual([404, 404, 404])
})

test('after several concurrent replacements, one feed URL works', async () => {
  const { id } = await workspace.member()
  const made = await Promise.all(Array.from({ length: 8 }, () => createFeed(workspace.ctx, id)))
  const statuses = await Promise.all(made.map(async ({ url }) => (await read(url)).status))
  expect(statuses.toSorted()).toEqual([200, ...Array(7).fill(404)])
})

test.each(['x.ics', `gbl_cf_${'0'.repeat(49)}.ics`, `gbl_cf_${'0'.repeat(49)}`, '%00.ics'])(
  '%s is not a feed URL',
  async (name) => {
    expect([400, 404]).toContain((await read(`${app.url}/calendar/feeds/${name}`)).status)
  },
)

test('feed URLs are not logged', async () => {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const { default: pino } = await import('pino')
  await using logging = await testApp({ log: pino({ level: 'trace' }, sink) as never })
  const here = await logging.workspace()
  const { url } = await createFeed(here.ctx, (await here.member()).id)
  expect((await read(url)).status).toBe(200)
  await read(url.replace(/.\.ics$/, '.ics'))
  expect(lines.join('')).not.toContain('gbl_cf_')
})
