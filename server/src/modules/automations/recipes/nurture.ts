import type { AutomationDraft } from '../automation.ts'
import type { AutomationStep } from '../definition/step-types.ts'

/** One email per month. */
const emails: readonly [subject: string, text: string][] = [
  [
    'Staying in touch',
    'when we last spoke, a move was not urgent, and that is fine. I will write once a month. When your plans change, just reply.',
  ],
  [
    'What is on your list?',
    'what must your next home have, and what could it do without? Reply with your list, and I will keep it in mind.',
  ],
  [
    'Would you like to look around?',
    'would you like to see a few homes, without any rush? Reply with a day that suits you.',
  ],
  [
    'Before you move',
    'a move is easier when it is prepared early: what to keep, what to sell, what to repair. I have a checklist. Reply, and I will send it to you.',
  ],
  ['Has anything changed?', 'have your plans changed since we last spoke? One sentence is enough.'],
  [
    'Half a year',
    'half a year has passed. Are you closer to a move, or is it still far off? Let me know either way.',
  ],
  [
    'New listings by email',
    'I can send you new listings that match what you are looking for, and nothing else. Reply with the places and what you need.',
  ],
  [
    'What to ask at a showing',
    'how old is the roof? What do the windows face? What stays, and what goes? I have a list of questions for showings. Reply, and I will send it to you.',
  ],
  [
    'Do you have a home to sell?',
    'would you sell your present home first, or buy first? I can explain how others have gone about it.',
  ],
  [
    'When would be a good time?',
    'if you could choose freely, when would you move? Reply with a month, and we can plan back from there.',
  ],
  [
    'Is there anything I can do?',
    'is there a question about homes that you have had for a while? Send it to me.',
  ],
  ['A year', 'we have been in touch for a year. Should I keep writing? Reply with a yes or a no.'],
]

const months = emails.flatMap(([subject, text], n): AutomationStep[] => [
  { key: `month_${n + 1}`, type: 'wait', for: { days: 30 } },
  {
    key: `email_${n + 1}`,
    type: 'send',
    channel: 'email',
    subject,
    body: `Hi {{contact.first_name|there}},\n\n${text}\n\n{{owner.name|Your team}}\n{{workspace.name}}`,
  },
])

export const nurture: AutomationDraft = {
  name: 'Nurture',
  description:
    'Sends an email a month for twelve months to contacts in the stage NURTURE. Then creates a task to call.',
  definition: {
    triggers: [
      {
        event: 'contact.stage_changed',
        conditions: { field: 'trigger.to', operator: 'eq', value: 'NURTURE' },
      },
    ],
    exits: [
      { when: 'opted_out' },
      { when: 'replied' },
      { when: 'booked' },
      { when: 'conditions', conditions: { field: 'contact.stage', operator: 'neq', value: 'NURTURE' } },
    ],
    re_enrollment: 'always',
    send_window: { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00', zone: 'contact' },
    steps: [
      ...months,
      {
        key: 'call',
        type: 'task',
        title: 'Call: a year of emails has ended',
        task_type: 'call',
        due_in: { days: 3 },
      },
    ],
  },
}
