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

test('each person gets at most five HELP responses in 24 hours', async () => {
  const other = '+13125550166'
  const ask = async (times: number, from = person) => {
    for (let n = 0; n < times; n++) await texting.text(from, 'HELP')
    const sent: { to: string }[] = await responses()
    return [person, other].map((one) => sent.filter(({ to }) => to === one).length)
  }
  expect(await ask(5)).toEqual([5, 0])
  expect(await ask(2)).toEqual([5, 0])
  expect(await ask(5, other)).toEqual([5, 5])
  expect(await ask(1, other)).toEqual([5, 5])
  app.clock.advance(86_400_000)
  expect(await ask(1)).toEqual([5, 5])
  app.clock.advance(1)
  expect(await ask(1)).toEqual([6, 5])
})
