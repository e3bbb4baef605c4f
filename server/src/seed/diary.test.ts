import { expect, test } from 'vitest'
import { dayMs, openHousesAfter } from './diary.ts'

test('a recent listing has distinct open house times, the last of them upcoming', () => {
  for (let weekday = 0; weekday < 7; weekday++)
    for (let daysAgo = 1; daysAgo <= 21; daysAgo++) {
      const end = Date.parse('2026-03-01T00:00:00.000Z') + weekday * dayMs
      const starts = openHousesAfter(end - daysAgo * dayMs, end).map(({ starts_at }) => starts_at)
      expect(new Set(starts).size, `${weekday} ${daysAgo}`).toBe(starts.length)
      expect(Date.parse(starts.at(-1) ?? '')).toBeGreaterThan(end)
    }
})
