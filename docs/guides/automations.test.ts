import { recipes } from '@gable/server/src/modules/automations/recipes/recipes.ts'
import { app, emailing, get, leave, openAutomations, tick } from '@gable/server/test/scenes/automations.ts'
import { idOf } from '@gable/server/test/support/fixtures.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GuidePage, guidePage, like } from '../support/guide-page.ts'

// Most of it is processes.
vi.setConfig({ testTimeout: 300_000 })

type Json = Record<string, unknown>

openAutomations()

let page: GuidePage
const variables: Record<string, string> = {}

beforeAll(async () => {
  page = await guidePage('automations', { commands: true })
  const { workspace, agent } = emailing
  const { key = '' } = await workspace.credential(
    'automations:read',
    'automations:write',
    'automations:manage',
    'contacts:read',
  )
  Object.assign(variables, {
    API: app.base,
    KEY: key,
    WORKSPACE: workspace.id,
    CONTACT: idOf(await agent.post('/contacts', { first_name: 'Sam', email: 'sam@lind.example' })),
    DATABASE_URL: app.databaseUrl,
    APP_SECRET: 'a secret that only the tests know, long enough',
  })
})
afterAll(() => page[Symbol.asyncDispose]())

async function curl(part: string): Promise<Json> {
  const body = JSON.parse(await page.curl(part, variables)) as Json
  if ('error' in body) throw new Error(JSON.stringify(body))
  return body
}

const shown = (part: string) => like(page.shown(part))

test('the guide works from the recipes to the migration', async () => {
  const { data } = (await curl('fields=name,version,enabled')) as { data: Json[] }
  expect({ data, next_cursor: null, has_more: false }).toEqual(shown('"version": null'))
  expect(data.map(({ name }) => name).toSorted()).toEqual(recipes.map(({ name }) => name).toSorted())
  for (const { name } of recipes) expect(page.prose).toContain(`| ${name} |`)
  variables['RECIPE'] = String(data.find(({ name }) => name === 'Nurture')?.['id'])
  await page.curl('automations enable $RECIPE', variables)
  expect(await get(`/automations/${variables['RECIPE']}`)).toMatchObject({ version: 1, enabled: true })

  expect(await curl('/automations/validate')).toEqual(page.shown('"valid"'))
  const created = await curl('{\\"name\\"')
  variables['AUTOMATION'] = String(created['id'])
  expect(await curl('$AUTOMATION/publish -H "Authorization: token $KEY"\n')).toMatchObject({ version: 1 })
  expect(await curl('$AUTOMATION/enable')).toEqual(shown('"version": 1, "enabled": true'))
  const typo = { triggers: [{ event: 'contact.tag_addd' }], steps: [{ key: 'a', type: 'pause_ai' }] }
  const rejected = await emailing.agent.post('/automations/validate', { definition: typo })
  expect(rejected.body).toEqual(shown('did you mean contact.tag_added?'))

  expect(await curl('/dry-run')).toEqual(shown('"verdict"'))
  const enrolled = await curl('$AUTOMATION/enroll')
  expect(enrolled).toEqual(shown('"created": true'))
  expect(await curl('$AUTOMATION/enroll')).toMatchObject({ id: enrolled['id'], created: false })
  variables['ENROLLMENT'] = String(enrolled['id'])
  const backfill = await curl('$AUTOMATION/backfills')
  expect(backfill).toEqual(shown('"counts"'))
  variables['BACKFILL'] = String(backfill['id'])
  await page.curl('backfills update $BACKFILL', variables)
  expect(await get(`/backfills/${variables['BACKFILL']}`)).toMatchObject({ status: 'cancelled' })
  await tick()
  await leave()
  await tick()
  expect(await curl('curl $API/enrollments/$ENROLLMENT -H')).toEqual(shown('"waiting_for"'))

  expect(await curl('/explain')).toEqual(shown('"would_enter"'))
  await emailing.agent.patch(`/contacts/${variables['CONTACT']}`, { tags: ['open house'] })
  await tick()
  expect(await curl('/entries')).toEqual(shown('"outcome": "active"'))

  expect(await curl('"paused"')).toMatchObject({ status: 'paused' })
  app.clock.advance(24 * 3_600_000)
  expect(await curl('"status": "running"')).toMatchObject({ status: 'running' })
  expect(await curl('"running": "finish"')).toEqual(shown('"running": "finish"'))

  await curl('-X PATCH $API/automations/$AUTOMATION')
  expect(await curl('# as version 2')).toEqual(shown('"version": 2, "…"'))
  expect(await curl('$AUTOMATION/versions?')).toEqual(shown('"version": 2, "created_by"'))
  await page.curl('> version-1.json', variables)
  expect(await get(`/automations/${variables['AUTOMATION']}`)).toMatchObject({
    definition: { steps: [{}, { for: { days: 2 } }, {}] },
    version: 2,
  })
  expect(await curl('/migrate')).toEqual(shown('"action": "migrate"'))
  await tick()
  expect(await get(`/enrollments/${variables['ENROLLMENT']}`)).toMatchObject({
    version: 2,
    status: 'running',
  })
  app.clock.advance(3 * 24 * 3_600_000)
  await tick()
  expect(await get(`/enrollments/${variables['ENROLLMENT']}`)).toMatchObject({ status: 'completed' })
  expect(page.notRun()).toEqual([])
})
