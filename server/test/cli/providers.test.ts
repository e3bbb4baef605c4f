import { startCarrier } from '@gable/sandbox/start.ts'
import { expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { freshDatabase } from '#test/support/database.ts'
import { gableWith } from '#test/support/gable.ts'

test('the commands of endpoints that ask providers reach them, and say why they do not', async () => {
  const databaseUrl = await freshDatabase('provider_commands')
  await using carrier = await startCarrier({ host: '127.0.0.1', port: 0, now: systemClock.now })
  let simulated = 'http://127.0.0.1:1'
  const gable = gableWith(() => ({ DATABASE_URL: databaseUrl, SIMULATED_CARRIER: simulated }))
  const { id } = await gable.json('workspaces', 'create', '--name', 'Lantern & Oak')
  const here = ['--workspace', id]
  const add = (kind: string, address: string) =>
    gable.json('senders', 'create', ...here, '--kind', kind, '--address', address)
  const toll = await add('tollfree', '+18335550188')
  const whatsapp = await add('whatsapp', '+13125550188')

  expect(await gable.error('senders', 'refresh', toll.id, ...here)).toMatchObject({
    code: 1,
    error: {
      code: 'provider_unavailable',
      message: expect.stringMatching(/^The provider does not report the sender: Twilio’s numbers: /),
    },
  })
  expect(await gable.json('connections', 'test', toll.connection_id, ...here)).toEqual({
    id: toll.connection_id,
    result: 'unreachable',
  })

  simulated = carrier.origin
  expect((await gable(['senders', 'refresh', toll.id, ...here])).out).toMatch(
    /^registration\.verification +TWILIO_APPROVED$/m,
  )
  expect(await gable.json('senders', 'refresh', whatsapp.id, ...here)).toMatchObject({
    registration: { status: 'APPROVED' },
  })
  expect((await gable(['connections', 'test', toll.connection_id, ...here])).out).toMatch(
    /^result +accepted$/m,
  )
  expect(await gable.json('connections', 'retrieve', toll.connection_id, ...here)).toMatchObject({
    tested_at: expect.any(String),
  })
  expect(await gable.error('connections', 'test', whatsapp.connection_id, ...here)).toMatchObject({
    code: 1,
    error: { code: 'connection_untestable' },
  })
})
