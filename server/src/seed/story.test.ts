import { expect, test } from 'vitest'
import { companies } from './brokerage.ts'
import { people } from './cast/people.ts'
import { seededRandom } from './random.ts'
import { writeStories } from './write-stories.ts'

test('the same date produces the same data, whatever the ids', () => {
  const storiesOf = (mark: string) => {
    const agents = ['Ada', 'Bo', 'Cy'].map((name, i) => ({
      actor: { type: 'member', id: `${mark}-${name}`, name },
      share: i + 1,
      until: i === 1 ? new Date('2025-12-01T00:00:00Z') : null,
    }))
    const stories = companies.map((company) =>
      writeStories(company, agents, new Date('2026-03-02T00:00:00Z')),
    )
    return JSON.stringify(stories).replaceAll(`${mark}-`, '')
  }
  expect(storiesOf('one')).toBe(storiesOf('another'))
})

test('5,000 people have distinct names and email addresses', () => {
  const crowd = people(seededRandom(7))
  const met = Array.from({ length: 5000 }, () => crowd.next().value)
  expect(new Set(met.map(({ email }) => email)).size).toBe(5000)
  expect(new Set(met.map(({ first_name, last_name }) => `${first_name} ${last_name}`)).size).toBe(5000)
})
