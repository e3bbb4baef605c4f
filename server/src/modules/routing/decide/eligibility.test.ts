import { describe, expect, test } from 'vitest'
import { momentAt } from '#kernel/conditions/hours.ts'
import { aRule, agents, anAgent, everyone, idOf, poolOfMembers } from '#test/support/routing.ts'
import type { Rule } from '../rules/rule.ts'
import type { Agent } from './decision.ts'
import { candidateOf, poolOf } from './eligibility.ts'

/** 10:15 on a Monday in New York. */
const at = new Date('2026-03-02T15:15:00Z')
const moment = momentAt(at, 'America/New_York')
const ms = at.getTime()
const hour = 3_600_000

const reasons = (agent: Partial<Agent>, rule: Partial<Rule> = {}, method: Rule['method'] = 'round_robin') =>
  candidateOf(anAgent(agent), aRule(rule), method, moment).excluded_reasons

describe('an agent is excluded', () => {
  const none = { open: null, per_hour: null, per_day: null }
  const mornings = { days: ['mon' as const], from: '08:00', to: '10:15' }

  test.for<[string, Partial<Agent>, Partial<Rule>, string[]]>([
    ['not without a reason', {}, {}, []],
    ['when inactive', { active: false }, {}, ['inactive']],
    ['while paused', { paused_until: ms + 1 }, {}, ['paused']],
    ['not once the pause is over', { paused_until: ms }, {}, []],
    ['while paused until further notice', { paused_until: Infinity }, {}, ['paused']],
    ['off shift', { shifts: [mornings] }, {}, ['off_shift']],
    ['not on one of several shifts', { shifts: [mornings, { ...mornings, to: '11:00' }] }, {}, []],
    ['not where their own clock says so', { shifts: [mornings], timezone: 'America/Chicago' }, {}, []],
    ['at the cap of open leads', { open: 3 }, { caps: { ...none, open: 3 } }, ['cap_open']],
    ['not below it', { open: 2 }, { caps: { ...none, open: 3 } }, []],
    [
      'at the cap of an hour',
      { recent: [ms - hour + 1] },
      { caps: { ...none, per_hour: 1 } },
      ['cap_per_hour'],
    ],
    ['not for what is an hour ago', { recent: [ms - hour] }, { caps: { ...none, per_hour: 1 } }, []],
    [
      'at the cap of a day, from local midnight on',
      { recent: [ms - hour, Date.UTC(2026, 2, 2, 5)] },
      { caps: { ...none, per_day: 2 } },
      ['cap_per_day'],
    ],
    [
      'not for yesterday',
      { recent: [ms - hour, Date.UTC(2026, 2, 2, 5) - 1] },
      { caps: { ...none, per_day: 2 } },
      [],
    ],
    [
      'for all reasons at once',
      { active: false, paused_until: ms + 1, open: 9 },
      { caps: { ...none, open: 1 } },
      ['inactive', 'paused', 'cap_open'],
    ],
  ])('%s', ([, agent, rule, expected]) => {
    expect(reasons(agent, rule)).toEqual(expected)
  })

  test('by a weight of 0 with `weighted`', () => {
    const weights = { [idOf(1)]: 0 }
    expect(reasons({}, { weights }, 'weighted')).toEqual(['weight_zero'])
    expect(reasons({}, { weights }, 'round_robin')).toEqual([])
  })

  test('from a pond only when inactive', () => {
    const busy = { paused_until: Infinity, shifts: [mornings], open: 9 }
    expect(reasons(busy, { caps: { ...none, open: 1 } }, 'pond')).toEqual([])
    expect(reasons({ ...busy, active: false }, {}, 'pond')).toEqual(['inactive'])
  })
})

test('a pool is the union of its parts, ordered by id', () => {
  const [ann, bob, cid, dee] = agents(4)
  const all = [
    { ...anAgent(dee), role: 'owner' as const },
    { ...anAgent(cid), office_id: idOf(7) },
    { ...anAgent(bob), team_ids: [idOf(8), idOf(9)] },
    anAgent(ann),
  ]
  const idsOf = (pool: Rule['pool']) => poolOf({ pool }, all).map(({ id }) => id)
  expect(idsOf(everyone)).toEqual([1, 2, 3, 4].map(idOf))
  expect(idsOf(poolOfMembers(idOf(3), idOf(1), idOf(99)))).toEqual([1, 3].map(idOf))
  expect(idsOf({ ...poolOfMembers(idOf(1)), team_id: idOf(9) })).toEqual([1, 2].map(idOf))
  expect(idsOf({ ...poolOfMembers(), office_id: idOf(7), role: 'owner' })).toEqual([3, 4].map(idOf))
  expect(idsOf(poolOfMembers())).toEqual([])
})

test.each(['compliance', 'developer'] as const)('a group in a pool leaves out %s members', (role) => {
  const member = anAgent({ id: idOf(1), role, team_ids: [idOf(8)], office_id: idOf(7) })
  const size = (pool: Rule['pool']) => poolOf({ pool }, [member]).length
  expect(size(everyone)).toBe(0)
  expect(size({ ...poolOfMembers(), team_id: idOf(8), office_id: idOf(7) })).toBe(0)
  expect(size({ ...poolOfMembers(), role })).toBe(1)
  expect(size(poolOfMembers(idOf(1)))).toBe(1)
})
