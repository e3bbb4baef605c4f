import { startCarrier } from '@gable/sandbox/start.ts'
import { expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { freshDatabase } from '#test/support/database.ts'
import { gableWith } from '#test/support/gable.ts'

test('gable senders refresh prints what changed and which connections failed', async () => {
  const databaseUrl = await freshDatabase('sender_refresh')
  await using carrier = await startCarrier({ host: '127.0.0.1', port: 0, now: systemClock.now })
  let simulated = carrier.origin
  const gable = gableWith(() => ({ DATABASE_URL: databaseUrl, SIMULATED_CARRIER: simulated }))
  const { id } = await gable.json('workspaces', 'create', '--name', 'Lantern & Oak')
  const here = ['--workspace', id]
  const add = (kind: string, address: string) =>
    gable.json('senders', 'create', ...here, '--kind', kind, '--address', address)
  const toll = await add('tollfree', '+18335550188')
  const whatsapp = await add('whatsapp', '+13125550188')
  await add('email', 'office@lantern.example')

  simulated = 'false'
  expect(await gable.json('senders', 'refresh', ...here)).toEqual({ changes: [], failures: [] })
  simulated = 'http://127.0.0.1:1'
  const failed = await gable.json('senders', 'refresh', ...here)
  expect(failed.failures).toContainEqual({
    connection_id: toll.connection_id,
    message: expect.stringMatching(/^Twilio’s numbers: /),
  })

  simulated = carrier.origin
  const { code, out } = await gable(['senders', 'refresh'])
  expect(code).toBe(0)
  expect(out).toMatch(/^ID +TYPE +NAME +CHANGED +WORKSPACE_ID\n/)
  expect(out).toMatch(new RegExp(`${toll.id} +sender +\\+18335550188 +verification=TWILIO_APPROVED `))
  expect(out).toMatch(new RegExp(`${whatsapp.id} +sender +\\+13125550188 +status=APPROVED `))
  expect((await gable(['senders', 'refresh', ...here])).out).toBe('Nothing changed.\n')
  const { data } = await gable.json('senders', 'list', ...here)
  expect(data).toMatchObject([
    { registration: { domain_authenticated: true } },
    { registration: { status: 'APPROVED' } },
    { registration: { verification: 'TWILIO_APPROVED' } },
  ])
  expect(await gable.error('senders', 'refresh', '--workspace', 'nowhere')).toMatchObject({ code: 1 })
})
