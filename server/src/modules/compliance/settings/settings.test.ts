import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { gableWith } from '#test/support/gable.ts'
import { changeComplianceSettings } from './change-settings.ts'
import { coldSources } from './compliance-settings.ts'
import { findComplianceSettings } from './settings-queries.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const defaults = {
  enabled_countries: ['US'],
  postal_address: null,
  support_contact: null,
  cold_sources: [],
  emergency_states: [],
  retention_days: null,
  record_calls: true,
  recording_retention_days: 365,
}

test('settings have defaults; a patch changes only its fields and is audited once', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  expect((await agent.get('/compliance-settings')).body).toEqual(defaults)
  const patch = { enabled_countries: ['US', 'CA'], cold_sources: ['List', 'List'], retention_days: 30 }
  const changed = { ...defaults, enabled_countries: ['US', 'CA'], cold_sources: ['List'], retention_days: 30 }
  for (let i = 0; i < 2; i++) expect((await agent.patch('/compliance-settings', patch)).body).toEqual(changed)
  expect(await findComplianceSettings(workspace.ctx.db)).toEqual(changed)
  expect((await agent.patch('/compliance-settings', { retention_days: null })).body).toEqual({
    ...changed,
    retention_days: null,
  })
  const { data } = (await agent.get('/audit-log?type=compliance_settings.updated')).body
  expect(data.map((entry: { data: object }) => entry.data)).toMatchObject([
    { from: changed, to: { ...changed, retention_days: null } },
    { from: defaults, to: changed },
  ])
})

test('emergency_states accepts only state codes and drops duplicates', async () => {
  const agent = await (await app.workspace()).credential()
  const set = (emergency_states: unknown) => agent.patch('/compliance-settings', { emergency_states })
  expect((await set(['NY', 'LA', 'NY'])).body).toEqual({ ...defaults, emergency_states: ['NY', 'LA'] })
  for (const wrong of [['ny'], ['XX'], ['New York'], ['ON'], 'NY', null])
    expect((await set(wrong)).status, JSON.stringify(wrong)).toBe(400)
  expect((await set([])).body).toEqual(defaults)
})

test('concurrent patches of different settings are all kept', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const patches = [{ postal_address: '48 Alder Court' }, { cold_sources: ['List'] }, { retention_days: 90 }]
  await Promise.all(patches.map((patch) => agent.patch('/compliance-settings', patch)))
  expect(await findComplianceSettings(workspace.ctx.db)).toEqual(Object.assign({}, defaults, ...patches))
})

test('the command line shows and changes the settings', async () => {
  const workspace = await app.workspace()
  const gable = gableWith(() => ({ DATABASE_URL: app.databaseUrl }))
  const within = ['--workspace', workspace.id]
  expect(await gable.json('compliance-settings', 'retrieve', ...within)).toEqual(defaults)
  const update = (...options: string[]) => ['compliance-settings', 'update', ...within, ...options]
  expect(
    await gable.json(
      ...update(
        '--enabled-countries',
        'US,CA',
        '--postal-address',
        '48 Alder Court',
        '--retention-days',
        '90',
      ),
    ),
  ).toEqual({
    ...defaults,
    enabled_countries: ['US', 'CA'],
    postal_address: '48 Alder Court',
    retention_days: 90,
  })
  expect(await gable.json(...update('--postal-address', 'null'))).toMatchObject({ postal_address: null })
  expect(await gable.error(...update('--retention-days', '29'))).toMatchObject({
    error: { code: 'validation_failed' },
  })
})

test('cold sources match regardless of case and spacing', async () => {
  const { ctx } = await app.workspace()
  const { cold_sources } = await changeComplianceSettings(ctx, {
    cold_sources: ['Purchased List', 'Fair', 'purchased  list ', 'FAIR'],
  })
  expect(cold_sources).toEqual(['Purchased List', 'Fair'])
  const isCold = coldSources({ cold_sources })
  expect(['PURCHASED LIST', ' purchased list', 'fair', 'Fairs', 'Website', null].map(isCold)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
