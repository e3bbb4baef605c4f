import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { asOwner } from '#test/support/database.ts'
import type { ModelRequest } from '../ports.ts'

let scene: AiScene

/** The number of rounds, set by `GABLE_AI_ROUNDS`. */
const rounds = Number(process.env['GABLE_AI_ROUNDS'] ?? 25)

let persona: string

beforeAll(async () => {
  scene = await openAiScene([{ match: '', say: { action: 'reply', text: 'Which day suits you?' } }])
  persona = String((await scene.persona())['id'])
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Stays under the rate limit per minute, and skips the evening hours in which no text may be sent. */
function passMinute(): void {
  scene.app.clock.advance(61_000)
  if (scene.app.clock.now().getUTCHours() >= 23) scene.app.clock.advance(18 * 3_600_000)
}

const stops = {
  STOP: (_: string, phone: string) => scene.texting.text(phone, 'STOP'),
  note: (id: string) => scene.texting.agent.post(`/contacts/${id}/notes`, { body: 'I call them.' }),
  message: (_: string, to: string) =>
    scene.texting.agent.post('/messages', { channel: 'sms', to, body: 'This is Dana.' }),
  switch: () => scene.texting.agent.patch('/ai-settings', { enabled: false }),
  // A person approves the AI's message, and the contact opts out.
  approval: (_: string, phone: string) => scene.texting.text(phone, 'STOP'),
}
const kinds = Object.keys(stops) as (keyof typeof stops)[]

/** Sets whether the persona's messages need approval or are sent directly. */
const setMode = (mode: string) => scene.texting.agent.patch(`/personas/${persona}`, { mode })

test('no AI message begins after a concurrent stop by the contact, a person, or a switch commits', async () => {
  const { texting, responder } = scene
  const model = orNotFound(responder.model)
  let begunBefore = 0
  let never = 0
  for (let round = 0; round < rounds; round++) {
    passMinute()
    const kind = orNotFound(kinds[round % kinds.length])
    const { id, phone } = await scene.person()
    if (kind === 'approval') await setMode('approve')
    await texting.text(phone, 'Is it still for sale?')
    const [thinkMs, stopMs] = [round % 6, (round * 7) % 17]
    let write = scene.respond
    if (kind === 'approval') {
      await scene.respond()
      const pending = orNotFound((await scene.messagesOf(id)).at(-1))
      expect(pending).toMatchObject({ status: 'pending_approval' })
      write = async () => {
        await sleep(thinkMs)
        return (await texting.agent.post(`/messages/${String(pending['id'])}/approve`, {})).status
      }
    }
    responder.model = {
      ...model,
      async propose(request: ModelRequest) {
        await sleep(thinkMs)
        return model.propose(request)
      },
    }
    // Orders events within this process: when each look began, and when the stop was known to be committed.
    let order = 0
    let stopped = Number.POSITIVE_INFINITY
    const looked: { messageId: string; at: number }[] = []
    const look = async (afterMs: number) => {
      await sleep(afterMs)
      const at = order++
      for (const { messageId, attemptId } of await texting.begin()) {
        looked.push({ messageId, at })
        await texting.taken(attemptId)
      }
    }
    const stop = async () => {
      await sleep(stopMs)
      const { status } = await stops[kind](id, phone)
      expect(status).toBeLessThan(300)
      stopped = order++
    }
    await Promise.all([write(), stop(), ...[4, 8, 12, 16, 20, 26].map(look)])
    for (let i = 0; i < 2; i++) await look(0)
    const rows = await asOwner<{ id: string; status: string; queued: boolean }>(
      scene.app.databaseUrl,
      `select id, status, exists (select from outbox o where o.message_id = m.id) as queued from messages m
       where contact_id = $1 and ai_generated`,
      [id],
    )
    const begun = looked.filter(({ messageId }) => rows.some((row) => row.id === messageId))
    expect(begun.filter(({ at }) => at > stopped)).toEqual([])
    begunBefore += begun.length
    never += begun.length === 0 ? 1 : 0
    const left = rows.filter(({ status, queued }) => queued || ['queued', 'sending'].includes(status))
    expect(left).toEqual([])
    const gone = rows.filter(({ status }) => status === 'sent').map((row) => row.id)
    expect(gone).toEqual(begun.map(({ messageId }) => messageId))
    responder.model = model
    if (kind === 'switch') {
      await scene.takeQueued()
      await texting.agent.patch('/ai-settings', { enabled: true })
    }
    if (kind === 'approval') await setMode('auto')
  }
  // The rounds prove nothing if they all end the same way.
  expect(never).toBeGreaterThan(0)
  if (rounds >= 1000) expect(begunBefore).toBeGreaterThan(0)
})
