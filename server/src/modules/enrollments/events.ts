import { Type } from 'typebox'
import { auditEvent, event } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'
import { endings } from './enrollment.ts'

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

export const AutomationEnded = event('automation.ended', {
  scope: 'automations:read',
  summary: 'An automation ended for a contact',
  subject: 'automation',
  data: Type.Object({
    id: Type.String({ description: 'The automation.' }),
    run_id: Type.String({ description: "The contact's run of the automation." }),
    contact_id: Type.String(),
    automation_name: Type.String({ description: 'The name when the run ended.' }),
    status: Type.Enum(endings, {
      title: 'EnrollmentEnding',
      description:
        '`completed`: the contact took the last step; `exited`: an exit or another automation ended the run early; `failed`: a step could not be taken; `cancelled`: a person, a request, or the automation ended the run.',
    }),
    reason: nullable(
      Type.String({ description: 'The exit, or the reason that ended the run. More values may be added.' }),
    ),
  }),
  example: {
    id: 'cmi8g5r8h0001n4t6w2q9y3k7',
    run_id: 'cmi8haw9j0010g7d5f1s8l3p4',
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    automation_name: 'After the open house',
    status: 'exited',
    reason: 'replied',
  },
  personal: [],
  timelineOf: (data) => data.contact_id,
  entry: ({ automation_name, status }) => ({
    type: 'automation',
    title: `Automation ${status}: ${automation_name}`,
  }),
})

const enrollmentData = Type.Object({
  id: Type.String(),
  contact_id: Type.String(),
  automation_id: Type.String(),
  status: Type.String(),
})
const enrollmentExample = {
  id: 'cmi8haw9j0010g7d5f1s8l3p4',
  contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
  automation_id: 'cmi8g5r8h0001n4t6w2q9y3k7',
  status: 'queued',
}

/** Who enrolled the contact. The timeline shows `automation.run`, which follows with the first step. */
export const EnrollmentCreated = auditEvent(
  'enrollment.created',
  'enrollment',
  'A contact was enrolled in an automation by request',
  enrollmentData,
  enrollmentExample,
)

const onTimeline = {
  scope: null,
  subject: 'enrollment',
  timelineOf: ({ contact_id }: { contact_id: string }) => contact_id,
}
const moved = {
  data: Type.Object({ ...enrollmentData.properties, automation_name: Type.String() }),
  example: { ...enrollmentExample, status: 'paused', automation_name: 'After the open house' },
}

const entryOf = (what: string, name: string) => ({ type: 'automation', title: `Automation ${what}: ${name}` })

/** A pause, a resumption, or an end before the first step. A run ends with `automation.ended`. */
export const EnrollmentStatusChanged = event('enrollment.status_changed', {
  ...onTimeline,
  ...moved,
  summary:
    'The enrollment of a contact in an automation was paused or resumed, or ended before its first step',
  entry: ({ status, automation_name }) =>
    entryOf(status === 'running' || status === 'queued' ? 'resumed' : status, automation_name),
})

export const EnrollmentMigrated = event('enrollment.migrated', {
  ...onTimeline,
  data: Type.Object({
    ...moved.data.properties,
    from_version: Type.Integer(),
    version: Type.Integer(),
  }),
  example: { ...moved.example, from_version: 1, version: 2 },
  summary: 'An enrollment was moved to another version of its automation',
  entry: ({ version, automation_name }) => entryOf(`moved to version ${version}`, automation_name),
})
