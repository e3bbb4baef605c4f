import { Type } from 'typebox'
import { timePattern } from '#kernel/conditions/hours.ts'
import { idPattern } from '#kernel/ids.ts'
import { CalendarSpanSchema, SpanSchema } from '#kernel/steps/span.ts'
import { stepShape } from '#kernel/steps/step-type.ts'
import { anchors } from './anchor.ts'

/** Ends by time alone. */
export const waitShape = stepShape({ type: 'wait', members: { for: SpanSchema } })

export const waitUntilShape = stepShape({
  type: 'wait_until',
  members: {
    anchor: Type.Enum(anchors, {
      description:
        'A time of the appointment or the deal in the event or the request, or else of the next appointment of the contact, or of one of their open or won deals. If the time moves, the step follows it.',
    }),
    before: Type.Optional(CalendarSpanSchema),
    after: Type.Optional(CalendarSpanSchema),
    at: Type.Optional(
      Type.String({
        pattern: timePattern,
        description: 'The time of day in the time zone of the workspace. Deal dates default to 09:00.',
      }),
    ),
    if_gone: Type.Optional(
      Type.Enum(['skip', 'exit'], {
        description: 'What happens if there is no such time, or no longer one. `skip` by default.',
      }),
    ),
  },
  issues: (step) =>
    'before' in step && 'after' in step ? [{ path: 'after', message: 'is not allowed with before' }] : [],
})

const ofAutomation = { automation_id: Type.String({ pattern: idPattern }) }

export const enrollShape = stepShape({ type: 'enroll', members: ofAutomation })
export const stopShape = stepShape({ type: 'stop', members: ofAutomation })
