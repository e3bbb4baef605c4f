import { expect, test } from 'vitest'
import { definitionWarnings } from './definition-issues.ts'
import type { Definition } from './definition.ts'

const send = (channel: 'sms' | 'email') => ({
  key: 'hello',
  type: 'send' as const,
  channel,
  body: 'Hello.',
  ...(channel === 'email' && { subject: 'Hello' }),
})

const warningOf = (send_window: NonNullable<Definition['send_window']>, channel: 'sms' | 'email' = 'sms') =>
  definitionWarnings({ send_window, steps: [send(channel)] }).find(
    ({ path }) => path === 'definition.send_window',
  )?.message

test.each([
  ['08:00', '21:00', undefined],
  ['09:00', '18:00', undefined],
  ['07:59', '12:00', /^is partly outside .* \(08:00 to 21:00 in the time zone of the contact/],
  ['12:00', '21:01', /partly/],
  ['20:00', '09:00', /partly/],
  ['10:00', '10:00', /partly/],
  ['05:00', '23:00', /partly/],
  ['21:00', '23:00', /no text is ever sent to anyone$/],
  ['22:00', '08:00', /no text is ever sent to anyone$/],
  ['05:00', '08:00', /no text is ever sent to anyone$/],
])('a send window from %s to %s is compared to the hours of the gates', (from, to, expected) => {
  const message = warningOf({ from, to })
  if (expected === undefined) expect(message).toBeUndefined()
  else expect(message).toMatch(expected)
})

test('the warning is about texts, and a window of the workspace may be open elsewhere', () => {
  expect(warningOf({ from: '22:00', to: '23:00' }, 'email')).toBeUndefined()
  expect(warningOf({ from: '22:00', to: '23:00', zone: 'workspace' })).toMatch(
    /to contacts in the time zone of the workspace$/,
  )
})
