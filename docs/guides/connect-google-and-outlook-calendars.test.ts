import { createFeed } from '@gable/server/src/modules/calendar/feed/feed.ts'
import { type TestApp, appSecret, testApp } from '@gable/server/test/support/app.ts'
import { idOf } from '@gable/server/test/support/fixtures.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GuidePage, guidePage } from '../support/guide-page.ts'

// Some of it is processes.
vi.setConfig({ testTimeout: 180_000 })

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp

beforeAll(async () => {
  page = opened.use(await guidePage('connect-google-and-outlook-calendars', { commands: true }))
  app = opened.use(await testApp({ now: new Date() }))
})
afterAll(() => opened.disposeAsync())

test('a feed has what the guide says, and absences are entered as it says', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { id: member } = await workspace.member()
  const at = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString()
  const appointment = { starts_at: at(24), ends_at: at(25), host_id: member, title: 'Showing' }
  idOf(await agent.post('/appointments', appointment))
  const { url } = await createFeed(workspace.ctx, member)
  const variables = {
    FEED: url,
    MEMBER: member,
    WORKSPACE: workspace.id,
    DATABASE_URL: app.databaseUrl,
    APP_SECRET: appSecret,
  }
  const feed = await page.curl('curl -sS', variables)
  expect(feed).toMatch(/^BEGIN:VCALENDAR/)
  expect(feed).toContain('SUMMARY:Showing')

  const output = await page.curl('agents update', variables)
  const { body } = await agent.get(`/appointments?host_id=${member}`)
  expect(body['data'].map(({ title }: { title: string }) => title).toSorted()).toEqual(['Away', 'Showing'])
  expect(output).toMatch(/paused +yes[^]*paused +no/)

  await createFeed(workspace.ctx, member)
  expect(await page.curl('curl -sS', variables)).not.toContain('VCALENDAR')
  expect(page.notRun()).toEqual([])
})
