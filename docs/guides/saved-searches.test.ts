import { startCarrier } from '@gable/sandbox/start.ts'
import { reasonText } from '@gable/server/src/modules/compliance/public.ts'
import { queueDigests } from '@gable/server/src/modules/saved-searches/jobs.ts'
import { type TestApp, type TestWorkspace, testApp } from '@gable/server/test/support/app.ts'
import { asOwner, freshDatabase } from '@gable/server/test/support/database.ts'
import { eventually } from '@gable/server/test/support/eventually.ts'
import { idOf } from '@gable/server/test/support/fixtures.ts'
import { readyToSend } from '@gable/server/test/support/ready-to-send.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GuidePage, guidePage } from '../support/guide-page.ts'

type Json = Record<string, unknown>

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp
let workspace: TestWorkspace

beforeAll(async () => {
  page = opened.use(await guidePage('saved-searches'))
  const now = () => app.clock.now()
  const carrier = opened.use(await startCarrier({ host: '127.0.0.1', port: 0, now, deliveryMs: 5 }))
  app = opened.use(
    await testApp({
      databaseUrl: await freshDatabase('saved_searches'),
      role: 'all',
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  workspace = await app.workspace('Lantern & Oak')
  await readyToSend(workspace)
})
afterAll(() => opened.disposeAsync())

/** The response on the page that has this text; "…" stands for what it leaves out. */
function shown(part: string): unknown {
  const block = page.blocks.find(({ language, text }) => language === 'json' && text.includes(part))
  return like(JSON.parse(block?.text ?? 'null'))
}

function like(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(like)
  if (typeof value === 'object' && value !== null)
    return expect.objectContaining(
      Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => name !== '…')
          .map(([name, inner]) => [name, like(inner)]),
      ),
    )
  return typeof value === 'string' && value.startsWith('cmi8') ? expect.any(String) : value
}

test('the guide works from the search to its resumption, with the email that it shows', async () => {
  const agent = await workspace.credential()
  const { id: owner_id } = await workspace.member('Hana Ito')
  const person = { first_name: 'Sam', email: 'sam@lind.example', owner_id }
  const contact = idOf(await agent.post('/contacts', person))
  const home = {
    list_agent_id: owner_id,
    status: 'active',
    city: 'Evanston',
    state: 'IL',
    list_price: 489_000,
    bedrooms: 3,
  }
  const alder = { ...home, street_number: '48', street_name: 'Alder Court', postal_code: '60201' }
  const listed = idOf(await agent.post('/listings', alder))
  const { key = '' } = await workspace.credential('contacts:read', 'contacts:write', 'messages:read')
  const variables: Record<string, string> = { API: app.base, KEY: key, CONTACT: contact }
  const curl = async (part: string) => JSON.parse(await page.curl(part, variables)) as Json

  app.clock.advance(1000)
  const saved = await curl('-X POST')
  expect(saved).toEqual(shown('"last_sent_at"'))
  const search = String(saved['id'])
  variables['SEARCH'] = search
  expect(await curl('/matches')).toEqual(shown('Alder'))

  app.clock.advance(1000)
  await agent.patch(`/listings/${listed}`, { list_price: 479_000 })
  app.clock.advance(1000)
  await agent.post('/listings', {
    ...home,
    street_number: '12',
    street_name: 'Elm Street',
    unit_number: '2',
    postal_code: '60202',
    list_price: 512_000,
    bedrooms: 4,
    bathrooms_total: 2.5,
    living_area: 2100,
    virtual_tour_url: 'https://tours.example/12-elm-street',
  })
  app.clock.set(String(saved['next_at']))
  await queueDigests.handle(app.runtime)
  const present = async () => (await agent.get(`/saved-searches/${search}`)).body
  await eventually(async () => (await present())['last_sent_at'] !== null)
  const messages = await asOwner<{ body: string }>(
    app.databaseUrl,
    'select body from messages where contact_id = $1',
    [contact],
  )
  const text = page.blocks.find(({ language }) => language === 'text')
  expect(messages.map(({ body }) => `${body}\n`)).toEqual([text?.text])

  await agent.patch(`/listings/${listed}`, { list_price: 469_000 })
  await agent.post('/suppressions', { kind: 'manual', email: person.email })
  app.clock.advance(24 * 3_600_000)
  await queueDigests.handle(app.runtime)
  await eventually(async () => (await present())['active'] === false)
  expect(await curl('active=false')).toEqual(shown('suppressed_manual'))
  expect(await curl('-X PATCH')).toMatchObject({ active: true, paused_reason: null })
  expect(page.notRun()).toEqual([])
})

test('every reason in the table is a reason of a gate or email_missing', () => {
  const rows = page.prose.slice(page.prose.indexOf('|---|'))
  const named = [...rows.matchAll(/`([a-z_]+)`(?=[^|]*\|[^|]*\|)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(7)
  expect(
    named.filter(
      (name) =>
        name !== 'email_missing' && reasonText(name as Parameters<typeof reasonText>[0]) === undefined,
    ),
  ).toEqual([])
})
