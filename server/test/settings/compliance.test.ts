import { afterAll, beforeAll, expect, test } from 'vitest'
import { findComplianceSettings } from '../../src/modules/compliance/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { anOwner, issuesIn } from './scene.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

test('emergency states are entered as codes; other text is shown again with an error', async () => {
  const owner = await anOwner(app)
  const path = `${owner.base}/compliance`
  const save = (emergency_states: string) =>
    owner.submit(path, {
      enabled_countries: 'US',
      postal_address: '',
      support_contact: '',
      cold_sources: '',
      emergency_states,
      retention_days: '',
    })
  const saved = async () => (await findComplianceSettings(owner.workspace.ctx.db)).emergency_states
  expect(await save(' ny, LA  ga')).toMatchObject({ status: 303, location: path })
  expect(await saved()).toEqual(['NY', 'LA', 'GA'])
  expect((await owner.get(path)).body).toContain('value="NY, LA, GA"')
  const wrong = await save('NY, Louisiana')
  expect([wrong.status, Object.keys(issuesIn(wrong))]).toEqual([400, ['emergency_states']])
  expect(wrong.body).toContain('value="NY, Louisiana"')
  expect(await saved()).toEqual(['NY', 'LA', 'GA'])
  await save('')
  expect(await saved()).toEqual([])
})
