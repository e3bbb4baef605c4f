import { afterAll, beforeAll, expect, test } from 'vitest'
import { findWorkspace } from '../../src/modules/workspaces/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { anOwner, issuesIn } from './scene.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

test('the name, time zone, and currency can be edited; invalid values are rejected with an error', async () => {
  const owner = await anOwner(app)
  const { ctx } = owner.workspace
  const path = `${owner.base}/workspace`
  const saved = async () => findWorkspace(ctx.directory, ctx.workspaceId)
  const save = (timezone: string, currency: string) =>
    owner.submit(path, { name: 'Oak Realty', timezone, currency })
  expect(await save('America/Denver', 'cad')).toMatchObject({ status: 303, location: path })
  expect(await saved()).toMatchObject({ name: 'Oak Realty', timezone: 'America/Denver', currency: 'CAD' })
  const unknown = await save('Denver', 'CAD')
  expect([unknown.status, Object.keys(issuesIn(unknown))]).toEqual([400, ['timezone']])
  expect(unknown.body).toContain('value="Denver"')
  const wrong = await save('America/Denver', 'XXX')
  expect([wrong.status, Object.keys(issuesIn(wrong))]).toEqual([400, ['currency']])
  expect(await saved()).toMatchObject({ timezone: 'America/Denver', currency: 'CAD' })
})
