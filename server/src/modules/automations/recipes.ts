import type { Tx } from '#kernel/context.ts'
import { type AutomationDraft, automationRecord } from './automation.ts'
import { insertAutomation } from './queries.ts'

const recipes: readonly AutomationDraft[] = [
  {
    name: 'Speed to lead',
    description: 'Texts a new lead within a minute, and asks for a call if that is not possible.',
    definition: {
      triggers: [{ event: 'lead.created' }],
      exits: [{ when: 'replied' }, { when: 'booked' }, { when: 'opted_out' }],
      steps: [
        {
          key: 'reachable',
          type: 'branch',
          branches: [
            {
              conditions: { field: 'contact.has_phone', operator: 'eq', value: true },
              steps: [
                {
                  key: 'text',
                  type: 'send',
                  channel: 'sms',
                  body: 'Hi {{contact.first_name|there}}, this is {{owner.name|our team}} at {{workspace.name}}. Thanks for reaching out! When is a good time to talk?',
                },
              ],
            },
          ],
        },
        { key: 'call', type: 'task', title: 'Call the new lead', task_type: 'call', priority: 'high' },
      ],
    },
  },
  {
    name: 'No reply',
    description: 'Three tries over a week for contacts who have not replied, then a task.',
    definition: {
      exits: [{ when: 'replied' }, { when: 'booked' }, { when: 'opted_out' }],
      send_window: { from: '09:00', to: '19:00', zone: 'contact' },
      steps: [
        {
          key: 'first',
          type: 'send',
          channel: 'sms',
          body: 'Hi {{contact.first_name|there}}, are you still looking for a home? {{owner.name|We}} can help.',
        },
        { key: 'two_days', type: 'wait', for: { days: 2 } },
        {
          key: 'second',
          type: 'send',
          channel: 'email',
          subject: 'Still looking for a home?',
          body: 'Hi {{contact.first_name|there}},\n\nare you still looking for a home? Just reply to this email.\n\n{{owner.name|Your team}}\n{{workspace.name}}',
        },
        { key: 'four_days', type: 'wait', for: { days: 4 } },
        {
          key: 'third',
          type: 'send',
          channel: 'sms',
          body: 'Hi {{contact.first_name|there}}, should we close your request? A short reply is enough.',
        },
        { key: 'last_day', type: 'wait', for: { days: 1 } },
        { key: 'call', type: 'task', title: 'Call: no reply to three messages', task_type: 'call' },
      ],
    },
  },
]

/** Gives a new workspace drafts to start from, which its creation announces. They are neither published nor enabled. */
export function insertRecipes(tx: Tx): void {
  for (const draft of recipes) insertAutomation(tx, automationRecord.create(draft, tx.clock.now()))
}
