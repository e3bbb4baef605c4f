import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'
import { changeComplianceSettings } from '../../compliance/public.ts'

const person = '+13125550177'

let app: TestApp
let texting: Texting

beforeAll(async () => void (app = await testApp({ now: '2026-03-02T18:00:00.000Z' })))
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => void (texting = await startTexting(app)))

const responses = async () => (await texting.agent.get('/messages?direction=OUTBOUND')).body['data']

test('HELP returns the workspace name and, if set, the support contact', async () => {
  await texting.text(person, 'help')
  expect(await texting.begin()).toMatchObject([{ kind: 'help', to: person }])
  expect((await responses())[0].body).toBe('This is Lantern & Oak. Reply STOP to receive no more messages.')
  await changeComplianceSettings(texting.workspace.ctx, { support_contact: '+13125550100' })
  await texting.text(person, 'help')
  expect((await responses())[0].body).toBe(
    'This is Lantern & Oak. For help: +13125550100. Reply STOP to receive no more messages.',
  )
})

test('a person gets at most five HELP responses in 24 hours', async () => {
  const ask = async (times: number, from = person) => {
    for (let n = 0; n < times; n++) await texting.text(from, 'HELP')
    return (await responses()).length
  }
  expect(await ask(7)).toBe(5)
  expect(await ask(1, '+13125550166')).toBe(6)
  app.clock.advance(86_400_000)
  expect(await ask(1)).toBe(6)
  app.clock.advance(1)
  expect(await ask(1)).toBe(7)
})
