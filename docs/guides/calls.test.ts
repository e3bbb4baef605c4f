import { startCarrier } from '@gable/sandbox/start.ts'
import { voiceBehaviors } from '@gable/sandbox/voice/script.ts'
import { type TestApp, testApp } from '@gable/server/test/support/app.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { eventually } from '@gable/server/test/support/eventually.ts'
import { readyToSend } from '@gable/server/test/support/ready-to-send.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GuidePage, guidePage, like } from '../support/guide-page.ts'

type Json = Record<string, unknown>

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp
let variables: Record<string, string>

beforeAll(async () => {
  page = opened.use(await guidePage('calls'))
  const now = () => app.clock.now()
  const carrier = opened.use(await startCarrier({ host: '127.0.0.1', port: 0, now, deliveryMs: 5 }))
  app = opened.use(
    await testApp({
      databaseUrl: await freshDatabase('calls_guide'),
      role: 'all',
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  const workspace = await app.workspace()
  await readyToSend(workspace)
  const { key = '' } = await workspace.credential('calls:write', 'calls:read', 'contacts:read:pii')
  variables = { API: app.base, KEY: key, TO: '+13125550177' }
})
afterAll(() => opened.disposeAsync())

const curl = async (part: string) => JSON.parse(await page.curl(part, variables)) as Json

test('the guide works from the first call to its recording', async () => {
  const placed = await curl('follow-up-4711')
  expect(placed).toEqual(like(page.shown('"queued"')))
  expect((await curl('follow-up-4711'))['id']).toBe(placed['id'])
  variables['ID'] = String(placed['id'])
  const read = () => curl('$API/calls/$ID')
  // The recording and the analysis come one after the other.
  const isWhole = (call: Json) => call['recording_url'] !== null && call['disposition'] !== null
  await eventually(async () => isWhole(await read()))
  const { recording_url, transcript, ...call } = await read()
  const {
    recording_url: _,
    transcript: said,
    ...shown
  } = page.shown('appointment_set') as { recording_url: string; transcript: Json[] }
  expect({ ...call }).toEqual(like(shown))
  expect((transcript as Json[])[0]).toEqual(like(said[0]))
  expect((await fetch(String(recording_url))).status).toBe(200)
  expect(await curl('/calls/preflight')).toEqual(like(page.shown('"allowed": false')))
  expect(page.notRun()).toEqual([])
})

test('the guide describes what each special number does', () => {
  const rows = [...page.prose.matchAll(/\| (\d\d) \| ([^|]+) \|/g)].map(([, digits, summary]) => [
    digits,
    summary,
  ])
  expect(rows).toEqual(Object.entries(voiceBehaviors).map(([digits, { summary }]) => [digits, summary]))
})
