import { app, emailing, openAutomations, tick } from '@gable/server/test/scenes/automations.ts'
import { idOf } from '@gable/server/test/support/fixtures.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GuidePage, guidePage } from '../support/guide-page.ts'

// Some of it is processes.
vi.setConfig({ testTimeout: 180_000 })

openAutomations()

let page: GuidePage
const variables: Record<string, string> = {}

beforeAll(async () => {
  page = await guidePage('campaigns', { commands: true })
  const { workspace, agent } = emailing
  const { key = '' } = await workspace.credential('automations:write', 'messages:send')
  idOf(await agent.post('/contacts', { first_name: 'Sam', email: 'sam@lind.example', tags: ['buyer'] }))
  Object.assign(variables, {
    API: app.base,
    KEY: key,
    WORKSPACE: workspace.id,
    MEMBER: (await workspace.member()).id,
    DATABASE_URL: app.databaseUrl,
    APP_SECRET: 'a secret that only the tests know, long enough',
  })
})
afterAll(() => page[Symbol.asyncDispose]())

const curl = async (part: string) => JSON.parse(await page.curl(part, variables))

test('the guide works from the draft to the pause', async () => {
  variables['CAMPAIGN'] = (await curl('"name": "Open house"')).id
  expect(await curl('/test')).toMatchObject({
    status: 'queued',
    subject: 'Open house on Saturday',
    body: 'Hi Sam, it is at 2 pm.',
    contact_id: null,
  })
  expect(await curl('/summary')).toMatchObject({ compliance_summary: { status: 'completed', eligible: 1 } })
  expect(await curl('/start')).toMatchObject({ status: 'running' })
  await tick()
  expect(await curl('fields=status,stats')).toMatchObject({
    status: 'running',
    stats: { recipients: 1, queued: 1 },
  })
  expect(await curl('recipients?status=blocked')).toMatchObject({ data: [] })
  const printed = await page.curl('campaigns retrieve', variables)
  for (const word of ['running', 'queued', 'paused']) expect(printed).toContain(word)
})
