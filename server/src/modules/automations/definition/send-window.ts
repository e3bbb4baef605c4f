import { Type } from 'typebox'
import { type Hours, timePattern, weekdays } from '#kernel/conditions/hours.ts'

/** The hours within which messages of an automation are sent. */
export type SendHours = Partial<Hours> & Pick<Hours, 'from' | 'to'> & { zone?: 'contact' | 'workspace' }

export const SendWindow = Type.Unsafe<SendHours>({
  type: 'object',
  description:
    'Messages are sent only within these hours. `contact` (default): in every time zone where the contact may be, based on their `timezone`, ZIP code, state, or area code, or in the time zone of the workspace if none is known. `workspace`: in the time zone of the workspace.',
  properties: {
    days: { type: 'array', minItems: 1, maxItems: 7, items: { enum: weekdays } },
    from: { type: 'string', pattern: timePattern },
    to: { type: 'string', pattern: timePattern },
    zone: { enum: ['contact', 'workspace'] },
  },
  required: ['from', 'to'],
  additionalProperties: false,
})
