import { expect, test } from 'vitest'
import type { JournalRow } from '#kernel/events/journal.ts'
import type { Definition } from './definition.ts'
import { keysOf, listensTo } from './listens-to.ts'

const event = (name: string, subject_type: string, data = {}) => ({ name, subject_type, data }) as JournalRow

const trashed = event('contact.stage_changed', 'contact', { to: 'TRASH' })
const nurtured = event('contact.stage_changed', 'contact', { to: 'NURTURE' })
const tagged = event('contact.tag_added', 'contact')
const updated = event('contact.updated', 'contact')
const received = event('message.received', 'message')
const delivered = event('message.delivered', 'message')
const moved = event('appointment.updated', 'appointment')
const won = event('deal.stage_changed', 'deal')
const suppressed = event('recipient.suppressed', 'suppression')
const classified = event('message.classified', 'message')
const all = [trashed, nurtured, tagged, updated, received, delivered, moved, won, suppressed, classified]

const steps = [{ key: 'w', type: 'wait', for: { days: 1 } }]
const waitFor = { key: 'r', type: 'wait_for', events: [{ event: 'contact.tag_added' }], timeout: { days: 1 } }

test.each([
  ['has no exits, and waits', { steps }, [trashed]],
  ['ends with a reply', { exits: [{ when: 'replied' }], steps }, [trashed, received]],
  [
    'ends with an opt-out',
    { exits: [{ when: 'opted_out' }], steps },
    [trashed, received, suppressed, classified],
  ],
  ['ends in a stage', { exits: [{ when: 'stage', stage: 'NURTURE' }], steps }, [trashed, nurtured]],
  ['ends with a tag', { exits: [{ when: 'tag', tag: 'vip' }], steps }, [trashed, tagged]],
  ['ends with another owner', { exits: [{ when: 'owner_changed' }], steps }, [trashed, updated]],
  ['ends with a deal', { exits: [{ when: 'deal_won' }], steps }, [trashed, won]],
  ['ends with conditions', { exits: [{ when: 'conditions', conditions: { all: [] } }], steps }, all],
  ['sends', { steps: [{ key: 's', type: 'send' }] }, [trashed, received, delivered, classified]],
  ['waits for an event', { steps: [waitFor] }, [trashed, tagged]],
  [
    'waits in a branch',
    { steps: [{ key: 'b', type: 'branch', branches: [{ conditions: { all: [] }, steps: [waitFor] }] }] },
    [trashed, tagged],
  ],
  [
    'waits for an appointment',
    { steps: [{ key: 'u', type: 'wait_until', anchor: 'appointment.starts_at' }] },
    [trashed, moved],
  ],
  [
    'waits for a date of a deal',
    { steps: [{ key: 'u', type: 'wait_until', anchor: 'deal.expected_close_date' }] },
    [trashed, won],
  ],
])('an automation that %s listens only to events that can end or wake it', (_, definition, expected) => {
  const listening = listensTo(definition as unknown as Definition)
  expect(all.filter((one) => keysOf(one).some((key) => listening.includes(key)))).toEqual(expected)
})
