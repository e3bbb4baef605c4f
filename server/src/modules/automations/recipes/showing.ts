import type { AutomationDraft } from '../automation.ts'

export const showing: AutomationDraft = {
  name: 'Showing reminder and feedback',
  description:
    'Reminds a contact a day before a showing and asks for feedback afterwards. If no feedback arrives within two days, or the contact did not show up, creates a task for a member to call. Follows the showing when it moves, and ends when it is cancelled.',
  definition: {
    triggers: [
      {
        event: 'appointment.booked',
        conditions: { field: 'trigger.type', operator: 'eq', value: 'showing' },
      },
    ],
    exits: [{ when: 'opted_out' }],
    re_enrollment: 'always',
    steps: [
      {
        key: 'day_before',
        type: 'wait_until',
        anchor: 'appointment.starts_at',
        before: { days: 1 },
        if_gone: 'exit',
      },
      { key: 'reminder', type: 'appointment_reminder', channel: 'email' },
      {
        key: 'afterwards',
        type: 'wait_until',
        anchor: 'appointment.ends_at',
        after: { hours: 2 },
        if_gone: 'exit',
      },
      {
        key: 'outcome',
        type: 'branch',
        branches: [
          {
            conditions: { field: 'appointment.outcome', operator: 'eq', value: 'no-show' },
            steps: [
              {
                key: 'missed',
                type: 'task',
                title: 'Call: the contact did not come to the showing',
                task_type: 'call',
                due_in: { days: 1 },
              },
            ],
          },
        ],
        else: [
          {
            key: 'feedback',
            type: 'send',
            channel: 'email',
            subject: 'How did you like it?',
            body: 'Hi {{contact.first_name|there}},\n\nthank you for your time. What did you like, and what not? A sentence or two helps us find the right home.\n\n{{owner.name|Your team}}\n{{workspace.name}}',
          },
          {
            key: 'reply',
            type: 'wait_for',
            events: [{ event: 'message.received' }],
            timeout: { days: 2 },
            on_timeout: [
              {
                key: 'call',
                type: 'task',
                title: 'Call: feedback about the showing',
                task_type: 'call',
                due_in: { days: 1 },
              },
            ],
          },
        ],
      },
    ],
  },
}
