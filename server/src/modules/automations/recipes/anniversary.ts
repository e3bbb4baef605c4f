import type { AutomationDraft } from '../automation.ts'
import type { AutomationStep } from '../definition/step-types.ts'

const years = ['one year', 'two years', 'three years', 'four years', 'five years'].flatMap(
  (span, n): AutomationStep[] => [
    {
      key: `year_${n + 1}`,
      type: 'wait_until',
      anchor: 'deal.close_date',
      after: { years: n + 1 },
      if_gone: 'exit',
    },
    {
      key: `email_${n + 1}`,
      type: 'send',
      channel: 'email',
      subject: 'Happy anniversary!',
      body: `Hi {{contact.first_name|there}},\n\nit has been ${span} since your closing. How is everything? If you need a hand with anything around your home, or a friend of yours is about to move, just reply.\n\n{{owner.name|Your team}}\n{{workspace.name}}`,
    },
  ],
)

export const anniversary: AutomationDraft = {
  name: 'Past-client anniversary',
  description:
    'Sends an email at nine in the morning on each of the five anniversaries of a closing. Skips anniversaries that passed before the contact was enrolled.',
  definition: {
    triggers: [
      {
        event: 'deal.stage_changed',
        conditions: { field: 'trigger.status', operator: 'eq', value: 'won' },
      },
    ],
    exits: [{ when: 'opted_out' }],
    re_enrollment: 'always',
    steps: years,
  },
}
