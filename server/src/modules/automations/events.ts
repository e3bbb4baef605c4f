import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

export const AutomationRun = event('automation.run', {
  scope: 'automations:read',
  summary: 'An automation started for a contact',
  subject: 'automation',
  data: Type.Object({
    id: Type.String({ description: 'The automation.' }),
    run_id: Type.String({ description: "The contact's run of the automation." }),
    contact_id: Type.String(),
    automation_name: Type.String({ description: 'The name when the run began.' }),
  }),
  example: {
    id: 'cmi8g5r8h0001n4t6w2q9y3k7',
    run_id: 'cmi8haw9j0010g7d5f1s8l3p4',
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    automation_name: 'After the open house',
  },
  personal: [],
  timelineOf: (data) => data.contact_id,
  entry: ({ automation_name }) => ({ type: 'automation', title: `Automation started: ${automation_name}` }),
})
