import { expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { openAiScene } from '#test/scenes/ai.ts'
import { gableWith } from '#test/support/gable.ts'

test('the CLI approves, edits, and drops AI messages, and pauses and resumes the AI', async () => {
  await using scene = await openAiScene(
    [{ match: '', say: { action: 'reply', text: 'Which day suits you?' } }],
    systemClock.now().toISOString(),
  )
  await scene.persona({ mode: 'approve' })
  const pending = async () => {
    const { id, phone } = await scene.person()
    await scene.texting.text(phone, 'Is it still for sale?')
    await scene.respond()
    return { id, messageId: String((await scene.messagesOf(id)).at(-1)?.['id']) }
  }
  const gable = gableWith(() => ({ DATABASE_URL: scene.app.databaseUrl }))
  const here = ['--workspace', scene.texting.workspace.id]
  const [same, edited, dropped] = [await pending(), await pending(), await pending()]
  expect(await gable.json('message', 'approve', same.messageId, ...here)).toMatchObject({
    status: 'queued',
    ai_generated: true,
  })
  expect(
    await gable.json('message', 'approve', edited.messageId, '--body', 'Tuesday?', ...here),
  ).toMatchObject({ body: 'Tuesday?', ai_generated: false })
  expect(await gable.json('message', 'drop', dropped.messageId, ...here)).toMatchObject({
    status: 'cancelled',
  })
  expect(await gable.error('message', 'approve', dropped.messageId, ...here)).toMatchObject({
    error: { code: 'message_not_pending' },
  })
  const ai = (option: string) => gable.json('contact', 'ai', same.id, option, ...here)
  expect(await ai('--pause')).toMatchObject({ ai_auto_response: 'paused', ai_paused_reason: 'manual' })
  expect(await ai('--resume')).toMatchObject({ ai_auto_response: 'active', ai_paused_reason: null })
  expect(await gable(['contact', 'ai', same.id, ...here])).toMatchObject({ code: 2 })
})
