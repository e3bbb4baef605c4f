import { expect, test } from 'vitest'
import { emailing, enabled, openAutomations, post, tag, app } from '#test/scenes/automations.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'

openAutomations()

const steps = async () => {
  const { id: member_id } = await emailing.workspace.member()
  const automation_id = await enabled({ steps: [tag] })
  return {
    member_id,
    automation_id,
    steps: [
      { key: 'notify', type: 'notify_member', message: 'Call.', member_id },
      { key: 'give', type: 'owner', member_id },
      { key: 'call', type: 'task', title: 'Call', assignee_id: member_id },
      { key: 'more', type: 'enroll', automation_id },
      { key: 'less', type: 'stop', automation_id },
    ],
  }
}

const issues = (...names: [step: number, member: string, message: string][]) =>
  names.map(([step, member, message]) => ({ path: `definition.steps.${step}.${member}`, message }))

test('publishing and validating report each inactive member and archived automation by path', async () => {
  const { member_id, automation_id, ...definition } = await steps()
  const id = idOf(await post('/automations', { name: 'Follow up', definition }))
  await asOwner(app.databaseUrl, 'update members set active = false where id = $1', [member_id])
  await post(`/automations/${automation_id}/disable`)
  await emailing.agent.patch(`/automations/${automation_id}`, { archived: true })
  for (const response of [
    await post(`/automations/${id}/publish`),
    await post('/automations/validate', { definition }),
  ]) {
    expect(response.status).toBe(400)
    expect(response.body['error'].details).toEqual(
      issues(
        [0, 'member_id', 'is an inactive member'],
        [1, 'member_id', 'is an inactive member'],
        [2, 'assignee_id', 'is an inactive member'],
        [3, 'automation_id', 'is an archived automation'],
        [4, 'automation_id', 'is an archived automation'],
      ),
    )
  }
})

test('a disabled automation and a persona that is off are only warnings', async () => {
  const { automation_id } = await steps()
  await post(`/automations/${automation_id}/disable`)
  const persona_id = idOf(
    await post('/personas', { name: 'Alder', disclosure: 'I am an AI.', channels: ['EMAIL'] }),
  )
  const definition = {
    steps: [
      { key: 'more', type: 'enroll', automation_id },
      {
        key: 'ask',
        type: 'ai_message',
        channel: 'email',
        subject: 'Hello',
        purpose: 'Say hello.',
        persona_id,
      },
    ],
  }
  const { body } = await post('/automations/validate', { definition })
  expect(body['warnings']).toEqual(
    issues(
      [0, 'automation_id', 'is a disabled automation, which enrolls no one'],
      [1, 'persona_id', 'is a persona that is off, so the step is skipped'],
    ),
  )
  const id = idOf(await post('/automations', { name: 'Follow up', definition }))
  expect((await post(`/automations/${id}/publish`)).status).toBe(200)
})

test('publishing reports a persona that has been deleted since by path', async () => {
  const persona_id = idOf(
    await post('/personas', { name: 'Alder', disclosure: 'I am an AI.', channels: ['EMAIL'] }),
  )
  const ask = {
    key: 'ask',
    type: 'ai_message',
    channel: 'email',
    subject: 'Hello',
    purpose: 'Say hello.',
    persona_id,
  }
  const id = idOf(await post('/automations', { name: 'Follow up', definition: { steps: [ask] } }))
  await asOwner(app.databaseUrl, 'update personas set deleted_at = now() where id = $1', [persona_id])
  const { status, body } = await post(`/automations/${id}/publish`)
  expect([status, JSON.stringify(body)]).toEqual([
    404,
    expect.stringContaining('definition.steps.0.persona_id'),
  ])
})
