import type { AutomationDraft } from '../automation.ts'

export const noReply: AutomationDraft = {
  name: 'No reply',
  description:
    'Writes to a new lead who does not reply after a day, three days, and a week. Then creates a task to call.',
  definition: {
    triggers: [
      { event: 'lead.created', conditions: { field: 'contact.stage', operator: 'eq', value: 'LEAD' } },
    ],
    exits: [
      { when: 'opted_out' },
      { when: 'replied' },
      { when: 'booked' },
      { when: 'conditions', conditions: { field: 'contact.stage', operator: 'neq', value: 'LEAD' } },
    ],
    re_enrollment: { after_days: 30 },
    send_window: { from: '09:00', to: '19:00', zone: 'contact' },
    steps: [
      { key: 'one_day', type: 'wait', for: { days: 1 } },
      {
        key: 'first',
        type: 'send',
        channel: 'sms',
        body: 'Hi {{contact.first_name|there}}, {{owner.name|our team}} at {{workspace.name}} here. Can we still help with your search? Reply STOP to opt out.',
      },
      { key: 'two_days', type: 'wait', for: { days: 2 } },
      {
        key: 'second',
        type: 'send',
        channel: 'email',
        subject: 'Can we still help?',
        body: 'Hi {{contact.first_name|there}},\n\nyou got in touch with us a few days ago. Are you still looking? If you reply with two or three things that matter to you, we will start there.\n\n{{owner.name|Your team}}\n{{workspace.name}}',
      },
      { key: 'four_days', type: 'wait', for: { days: 4 } },
      {
        key: 'third',
        type: 'send',
        channel: 'sms',
        body: 'Hi {{contact.first_name|there}}, should we close your request? A short yes or no is enough. {{owner.name|Your team}}, {{workspace.name}}. Reply STOP to opt out.',
      },
      { key: 'last_day', type: 'wait', for: { days: 1 } },
      {
        key: 'call',
        type: 'task',
        title: 'Call: no reply to three messages',
        task_type: 'call',
        due_in: { days: 1 },
      },
    ],
  },
}
