import type { AutomationDraft } from '../automation.ts'

export const speedToLead: AutomationDraft = {
  name: 'Speed to lead',
  description:
    'Texts a new lead at once, or when the quiet hours end. If no message has left within a minute after that, creates a task for a member to call.',
  definition: {
    triggers: [{ event: 'lead.created' }],
    exits: [{ when: 'opted_out' }, { when: 'replied' }, { when: 'booked' }],
    re_enrollment: { after_days: 1 },
    steps: [
      {
        key: 'text',
        type: 'send',
        channel: 'sms',
        body: 'Hi {{contact.first_name|there}}, this is {{owner.name|our team}} at {{workspace.name}}. Thanks for reaching out! When is a good time to talk? Reply STOP to opt out.',
      },
      {
        key: 'left',
        type: 'wait_for',
        events: [{ event: 'message.sent' }],
        timeout: { minutes: 1 },
        on_timeout: [
          {
            key: 'call',
            type: 'task',
            title: 'Call the new lead: no text could be sent',
            task_type: 'call',
            priority: 'high',
            due_in: { minutes: 15 },
          },
        ],
      },
    ],
  },
}
