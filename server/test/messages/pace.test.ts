import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { beginSends } from '../../src/modules/messages/outbox/begin-sends.ts'
import { pacificDay } from '../../src/modules/messages/pace/pace.ts'
import { createSender, findDefaultSender, updateSender } from '../../src/modules/senders/public.ts'
import { type Scene, openScene } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('pace')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const seconds = (n: number) => n * 1000
const hours = (n: number) => n * 3_600_000
const registration = { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' }

const first = async () => orNotFound(await findDefaultSender(scene.workspace.ctx.db, 'SMS'))
const limit = async (limits: object) => updateSender(scene.workspace.ctx, (await first()).id, limits)
const another = (address: string, more: object) =>
  createSender(scene.workspace.ctx, { kind: '10dlc', address, pace: 100, registration, ...more })
const sendEach = async (count: number, from?: string) => {
  for (let n = 0; n < count; n++)
    await scene.send(await scene.person(), `Text ${n}`, from === undefined ? {} : { from })
}

test.each([
  ['2026-03-08T07:59:59.999Z', '2026-03-07', 'PST, before the clocks change'],
  ['2026-03-08T08:00:00.000Z', '2026-03-08', 'PST, on the day when they change'],
  ['2026-03-09T06:59:59.999Z', '2026-03-08', 'PDT, a day of 23 hours'],
  ['2026-03-09T07:00:00.000Z', '2026-03-09', 'PDT'],
  ['2026-11-01T07:00:00.000Z', '2026-11-01', 'PDT, on the day when they change back'],
  ['2026-11-02T07:59:59.999Z', '2026-11-01', 'PST, a day of 25 hours'],
  ['2026-11-02T08:00:00.000Z', '2026-11-02', 'PST'],
])('at %s the carrier day is %s: %s', (at, day) => {
  expect(pacificDay(new Date(at))).toBe(day)
})

test('a brand stops at its daily segment limit; the rest waits for the next day’s allowed hours', async () => {
  const { app, look, read, agent } = scene
  // A Saturday morning. Daylight saving time begins that night.
  app.clock.set('2026-03-07T16:00:00.000Z')
  await limit({ brand: 'BN1', brand_daily_limit: 3 })
  await sendEach(5)
  expect(await look()).toHaveLength(3)
  app.clock.advance(hours(2))
  expect(await look()).toEqual([])
  const [held] = (await agent.get('/messages?status=queued')).body['data']
  app.clock.set('2026-03-08T07:59:59.999Z')
  expect(await look()).toEqual([])
  // Midnight in Los Angeles is still night in Chicago, so the messages wait for the hours of the new day.
  app.clock.set('2026-03-08T08:00:00.000Z')
  expect(await look()).toEqual([])
  expect(await read(held.id)).toMatchObject({ status: 'scheduled', scheduled_at: '2026-03-08T13:00:00.000Z' })
  app.clock.set('2026-03-08T13:00:00.000Z')
  expect(await look()).toHaveLength(2)
})

test('senders of a brand share its daily limit, and a multi-segment message does not exceed it', async () => {
  const { look, send, person } = scene
  await limit({ brand: 'BN1', brand_daily_limit: 3 })
  const second = await another('+13125550190', { brand: 'BN1' })
  expect(second.brand_daily_limit).toBe(3)
  await sendEach(2)
  expect(await look()).toHaveLength(2)
  await send(await person(), 'x'.repeat(200), { from: second.id })
  expect(await look()).toEqual([])
})

test('senders of a campaign share its segments per minute, which refill over time', async () => {
  const { app, look } = scene
  await limit({ campaign: 'CM1', campaign_pace: 6 })
  const second = await another('+13125550190', { campaign: 'CM1' })
  expect(second.campaign_pace).toBe(6)
  await sendEach(5)
  await sendEach(5, second.id)
  // A sender that finds the campaign locked by the other one sends in a later poll.
  const looks = async () => {
    const seen = []
    for (let round = 0; round < 8; round++) seen.push(...(await look()))
    return seen
  }
  expect(await looks()).toHaveLength(6)
  app.clock.advance(seconds(9))
  expect(await looks()).toEqual([])
  app.clock.advance(seconds(1))
  expect(await looks()).toHaveLength(1)
  app.clock.advance(seconds(60))
  expect(await looks()).toHaveLength(3)
})

test('a limit that a clock three hours ahead has refilled does not stop its senders, and forgets nothing', async () => {
  const { app, look } = scene
  await limit({ campaign: 'CM1', campaign_pace: 60, brand: 'BN1', brand_daily_limit: 5 })
  app.clock.advance(seconds(3 * 3600))
  await sendEach(3)
  expect(await look()).toHaveLength(3)
  app.clock.advance(-seconds(3 * 3600))
  await sendEach(3)
  const seen = await look()
  app.clock.advance(seconds(2))
  seen.push(...(await look()))
  // The brand has used three of the five segments of its day.
  expect(seen).toHaveLength(2)
})

test('senders of one campaign and brand share nothing if no limits are set', async () => {
  const { look } = scene
  await limit({ campaign: 'CM1', brand: 'BN1' })
  await another('+13125550190', { campaign: 'CM1', brand: 'BN1' })
  await sendEach(20)
  expect(await look()).toHaveLength(20)
})

test('a limit set for one sender applies to all senders of its campaign and brand', async () => {
  const { agent } = scene
  await limit({ campaign: 'CM1', brand: 'BN1' })
  await another('+13125550190', { campaign: 'CM1', brand: 'BN1' })
  await limit({ campaign_pace: 60, brand_daily_limit: 2000 })
  const { data } = (await agent.get('/senders?channel=SMS')).body
  const limits = { campaign_pace: 60, brand_daily_limit: 2000 }
  expect(data).toMatchObject([limits, limits])
  await limit({ campaign_pace: null })
  expect((await agent.get('/senders?channel=SMS')).body['data']).toMatchObject([
    { campaign_pace: null },
    { campaign_pace: null },
  ])
})

test('concurrent senders that share limits neither deadlock nor exceed them', async () => {
  const { app, workspace } = scene
  await limit({ campaign: 'CM1', campaign_pace: 6, brand: 'BN1', brand_daily_limit: 1000 })
  const ids = [(await first()).id]
  for (let n = 0; n < 3; n++)
    ids.push((await another(`+1312555019${n}`, { campaign: 'CM1', brand: 'BN1' })).id)
  for (const id of ids) await sendEach(4, id)
  const begun = []
  for (let round = 0; round < 10; round++)
    begun.push(
      ...(await Promise.all(
        ids.map((senderId) => beginSends(app.runtime, { workspaceId: workspace.id, senderId }, 100)),
      )),
    )
  expect(begun.flat()).toHaveLength(6)
})
