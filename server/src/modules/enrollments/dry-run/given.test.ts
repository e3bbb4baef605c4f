import { expect, test } from 'vitest'
import { enabled, openAutomations, post, send, tagStep } from '#test/scenes/automations.ts'
import { addContact, dryRun, seen } from '#test/scenes/dry-runs.ts'
import { idOf } from '#test/support/fixtures.ts'

openAutomations()

test('a dry run uses the trigger and the context of the request for branches and dates', async () => {
  const contact = await addContact()
  const isSet = (field: string, value: string) => ({ field, operator: 'eq', value })
  const branch = {
    key: 'b',
    type: 'branch',
    branches: [
      { conditions: isSet('trigger.tag', 'vip'), steps: [tagStep('by_trigger')] },
      { conditions: isSet('context.listing', '48 Alder Court'), steps: [tagStep('by_context')] },
    ],
    else: [tagStep('other')],
  }
  const after = async (more: object) => seen(await dryRun({ steps: [branch] }, contact, more))[1]
  expect(await after({})).toBe('other done 0')
  expect(await after({ trigger: { event: 'contact.tag_added', data: { tag: 'vip' } } })).toBe(
    'by_trigger done 0',
  )
  expect(await after({ context: { listing: '48 Alder Court' } })).toBe('by_context done 0')
  const deal = idOf(await post('/deals', { contact_ids: [contact], name: 'Reyes', close_date: '2026-03-12' }))
  await post('/deals', { contact_ids: [contact], name: 'Another', close_date: '2026-03-05' })
  const until = { key: 'u', type: 'wait_until', anchor: 'deal.close_date' }
  const trigger = { event: 'deal.stage_changed', data: { id: deal } }
  const { ended_at } = await dryRun({ steps: [until] }, contact, { trigger })
  expect(String(ended_at).slice(0, 10)).toBe('2026-03-12')
  const id = await enabled({ steps: [tagStep('one')] })
  const wrong = { contact_id: contact, trigger: { event: 'contact.tag_aded' } }
  const { status, body } = await post(`/automations/${id}/dry-run`, wrong)
  expect([status, body['error'].details[0].path]).toEqual([400, 'trigger.event'])
})

test('a dry run skips a late message, sends an allowed one, and lets pause_ai pause the AI', async () => {
  const contact = await addContact()
  const past = { key: 'u', type: 'wait_until', anchor: 'contact.created_at', before: { days: 2 } }
  expect(seen(await dryRun({ steps: [past, send('a')] }, contact))).toEqual(['u done 0', 'a skipped late 0'])
  const left = {
    key: 'left',
    type: 'wait_for',
    events: [{ event: 'message.sent' }],
    timeout: { minutes: 1 },
    on_timeout: [tagStep('stuck')],
  }
  expect(seen(await dryRun({ steps: [send('a'), left] }, contact))).toEqual([
    'a done 0',
    'left done message.sent 0',
  ])
  const persona = { name: 'Robin', role: 'assistant', channels: ['EMAIL'], disclosure: 'I am an AI.' }
  const persona_id = idOf(await post('/personas', persona))
  const writes = {
    key: 'ai',
    type: 'ai_message',
    channel: 'email',
    persona_id,
    purpose: 'Ask.',
    subject: 'Hi',
  }
  expect(seen(await dryRun({ steps: [writes] }, contact))).toEqual(['ai skipped persona_off 0'])
  const note = { key: 'n', type: 'note', body: 'Called.' }
  const pause = { key: 'p', type: 'pause_ai' }
  expect(seen(await dryRun({ steps: [note, pause, writes] }, contact))).toEqual([
    'n done 0',
    'p done 0',
    'ai skipped ai_paused 0',
  ])
})
