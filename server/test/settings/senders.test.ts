import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createConnection,
  createSender,
  createTemplate,
  findDefaultSender,
} from '../../src/modules/senders/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type User, anOwner, textOf } from './scene.ts'

let app: TestApp
let owner: User

beforeAll(async () => void (app = await testApp()))
beforeEach(async () => void (owner = await anOwner(app)))
afterAll(() => app[Symbol.asyncDispose]())

const page = async () => textOf(await owner.get(`${owner.base}/senders`))
const line = { kind: '10dlc', address: '+13125550188' } as const
const registration = { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' }

test('the page shows whether each sender is ready, or what it lacks', async () => {
  const { ctx } = owner.workspace
  expect(await page()).toContain('No senders yet.')
  await createSender(ctx, { ...line, registration: { brand: 'PENDING' } })
  await createSender(ctx, { ...line, address: '+13125550187', registration })
  await createTemplate(ctx, { name: 'hello', language: 'es', category: 'UTILITY', body: 'Hola' })
  const text = await page()
  expect(text).toContain(
    '+13125550188 Text (10DLC) not ready The brand is not approved: brand=PENDING campaign=UNKNOWN number=UNKNOWN',
  )
  expect(text).toMatch(/\+13125550187 Text \(10DLC\) ready Simulated texts Make default/)
  expect(text).toContain('hello es utility pending Hola')
  expect(text).toContain('Simulated texts twilio simulated: reaches no one')
})

test('the page shows accounts without their credentials', async () => {
  const { ctx } = owner.workspace
  await createConnection(ctx, { provider: 'twilio', name: 'Ours', account: 'AC1', secret: 'the-credentials' })
  const visited = await owner.get(`${owner.base}/senders`)
  expect(textOf(visited)).toContain('Ours twilio AC1')
  expect(visited.body).not.toContain('the-credentials')
})

test('a connection shows that its senders are not verified, or why it cannot send: rejected credentials or an unreadable mailbox', async () => {
  const { ctx, id } = owner.workspace
  const smtp = 'smtps://mail.lantern.example'
  const draft = { provider: 'email', name: 'Mail', account: 'office', secret: 'secret' } as const
  await createConnection(ctx, { ...draft, settings: { smtp, imap: 'imaps://mail.lantern.example' } })
  const change = (set: string) =>
    asOwner(app.databaseUrl, `update connections set ${set} where workspace_id = $1`, [id])
  expect(await page()).toMatch(/mail\.lantern\.example Message templates/)
  await change("authentication_missing_at = '2026-03-02T15:00:00Z'")
  expect(await page()).toContain('senders not verified The email of')
  await change(
    `stopped = '{"code": "provider_unavailable", "message": "no response", "since": "2026-03-02T15:00:00.000Z"}'`,
  )
  expect(await page()).toMatch(/nothing is sent Since [^:]+:\d\d[^:]*: no response/)
  await change("mailbox_error = 'mail.lantern.example does not accept the name and password'")
  expect(await page()).toContain(
    'mailbox not read Nothing is sent until Gable can read it: mail.lantern.example does not accept the name',
  )
  await change("credentials_rejected_at = '2026-03-02T15:00:00Z'")
  expect(await page()).toContain('credentials rejected Messages wait since')
})

test('a button makes a sender the default of its channel', async () => {
  const { ctx } = owner.workspace
  await createSender(ctx, line)
  const { id } = await createSender(ctx, { ...line, address: '+13125550187' })
  const list = `${owner.base}/senders`
  expect(await owner.submit(list, {}, `${list}/${id}/default`)).toMatchObject({ status: 303, location: list })
  expect(await findDefaultSender(ctx.db, 'SMS')).toMatchObject({ id })
})
