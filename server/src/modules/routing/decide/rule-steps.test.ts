import { describe, expect, test } from 'vitest'
import {
  aRule,
  agents,
  anAgent,
  decide,
  everyone,
  idOf,
  mondayMorning,
  poolOfMembers,
} from '#test/support/routing.ts'
import type { Rule } from '../rules/rule.ts'
import type { Agent } from './decision.ts'

const at = mondayMorning
const [ann, bob, cid] = [1, 2, 3].map(idOf)

const away = (id: string | undefined): Agent => anAgent({ id: id ?? '', active: false })

describe('by method:', () => {
  test('direct assigns the one member if eligible', () => {
    const rule = { method: 'direct' as const, pool: poolOfMembers(bob ?? '') }
    expect(decide(rule)).toMatchObject({ outcome: 'assigned', method: 'direct', assignee_id: bob, step: 0 })
    expect(decide(rule, [away(bob)])).toMatchObject({
      outcome: 'unassigned',
      fallback_used: ['direct: inactive'],
    })
  })

  test('rotations list all candidates with their positions', () => {
    const people = [anAgent({ id: cid ?? '' }), away(bob), anAgent({ id: ann ?? '' })]
    expect(decide({}, people).candidates).toEqual([
      { member_id: ann, eligible: true, excluded_reasons: [], weight: 1, position: 1 },
      { member_id: bob, eligible: false, excluded_reasons: ['inactive'], weight: 1, position: null },
      { member_id: cid, eligible: true, excluded_reasons: [], weight: 1, position: 2 },
    ])
  })

  test('weighted shows the weights and advances its cursor', () => {
    const weights = { [ann ?? '']: 0, [bob ?? '']: 3 }
    const decision = decide({ method: 'weighted', weights })
    expect(decision).toMatchObject({
      assignee_id: bob,
      candidates: [{ weight: 0, eligible: false }, { weight: 3 }, { weight: 1 }],
    })
    expect(decision.cursor).toEqual({
      before: {},
      after: { owed: { [bob ?? '']: -0.25, [cid ?? '']: 0.25 } },
    })
  })

  test('sticky assigns the contact’s owner, in the pool or not, or falls back', () => {
    const rule: Partial<Rule> = {
      method: 'sticky',
      pool: poolOfMembers(ann ?? ''),
      fallback: [{ method: 'round_robin' }],
    }
    expect(decide(rule, agents(3), { lead: { owner_id: bob ?? '' } })).toMatchObject({
      method: 'sticky',
      assignee_id: bob,
      candidates: [
        { member_id: ann, position: null },
        { member_id: bob, position: 1 },
      ],
      reason: `“A rule” matched, and member ${bob} has the contact already.`,
    })
    expect(decide(rule)).toMatchObject({
      method: 'round_robin',
      assignee_id: ann,
      step: 1,
      fallback_used: ['sticky: no owner'],
    })
  })

  test('first_to_claim offers the lead to all eligible members for a limited time', () => {
    const rule: Partial<Rule> = {
      method: 'first_to_claim',
      claim_seconds: 60,
      fallback: [{ method: 'round_robin' }],
    }
    const people = [...agents(2), away(cid)]
    const offer = decide(rule, people)
    expect(offer).toMatchObject({
      outcome: 'offered',
      assignee_id: null,
      offered_to: [ann, bob],
      until: at.getTime() + 60_000,
      step: 0,
      reason: '“A rule” matched, and 2 members may claim it for 60 seconds.',
    })
    expect(decide(rule, people, { rule: aRule(rule), step: offer.step + 1 })).toMatchObject({
      outcome: 'assigned',
      method: 'round_robin',
      assignee_id: ann,
      step: 1,
      fallback_used: ['first_to_claim: not claimed'],
    })
  })

  test('a pond offers the lead to all active members with no deadline', () => {
    const off = { shifts: [{ days: ['sun' as const], from: '09:00', to: '10:00' }], paused_until: Infinity }
    const people = [anAgent({ id: ann ?? '', ...off }), away(bob)]
    expect(decide({ method: 'pond' }, people)).toMatchObject({
      outcome: 'pond',
      offered_to: [ann],
      until: null,
      reason: '“A rule” matched, and it lies in a pond of 1 member.',
    })
    expect(
      decide({ method: 'pond', pool: poolOfMembers(bob ?? ''), fallback: [{ member_id: cid ?? '' }] }, [
        away(bob),
        ...agents(3).slice(2),
      ]),
    ).toMatchObject({
      outcome: 'assigned',
      method: 'direct',
      assignee_id: cid,
      fallback_used: ['pond: no active member'],
    })
  })
})

test('an unclaimed offer goes to the next step, ignoring the contact owner and the hours', () => {
  const rule = aRule({
    method: 'first_to_claim',
    sticky: { existing_owner: true },
    schedule: { days: ['sun'], from: '09:00', to: '10:00', timezone: 'America/Chicago', outside: 'hold' },
    fallback: [{ method: 'round_robin' }],
  })
  const lead = { owner_id: cid ?? '' }
  expect(decide(rule, agents(3), { lead, rule, step: 1 })).toMatchObject({
    outcome: 'assigned',
    method: 'round_robin',
    assignee_id: ann,
    fallback_used: ['first_to_claim: not claimed'],
  })
  expect(decide(rule, agents(3), { lead, rule, step: 2 })).toMatchObject({
    outcome: 'unassigned',
    step: 2,
    fallback_used: ['round_robin: not claimed'],
  })
})

describe('the contact owner', () => {
  const rule: Partial<Rule> = { pool: poolOfMembers(ann ?? ''), sticky: { existing_owner: true } }

  test('comes first, also from outside the pool, and the rotation does not advance', () => {
    expect(decide(rule, agents(3), { lead: { owner_id: cid ?? '' } })).toMatchObject({
      method: 'sticky',
      assignee_id: cid,
      candidates: [{ member_id: ann }, { member_id: cid, eligible: true, position: 1 }],
      cursor: { before: {}, after: {} },
      fallback_used: [],
    })
  })

  test('comes first even with a weight of 0', () => {
    const weighted: Partial<Rule> = {
      ...rule,
      method: 'weighted',
      pool: everyone,
      weights: { [cid ?? '']: 0 },
    }
    expect(decide(weighted, agents(3), { lead: { owner_id: cid ?? '' } }).assignee_id).toBe(cid)
  })

  test('is skipped if not eligible', () => {
    const people = [...agents(2), away(cid)]
    expect(decide(rule, people, { lead: { owner_id: cid ?? '' } })).toMatchObject({
      method: 'round_robin',
      assignee_id: ann,
      fallback_used: ['sticky: inactive'],
      step: 0,
    })
  })
})

test('fallbacks are tried in order, and skip ineligible members', () => {
  const rule: Partial<Rule> = {
    pool: poolOfMembers(ann ?? ''),
    fallback: [{ member_id: bob ?? '' }, { member_id: cid ?? '' }, { method: 'pond' }],
  }
  expect(decide(rule, [away(ann), away(bob), ...agents(3).slice(2)])).toMatchObject({
    method: 'direct',
    assignee_id: cid,
    step: 2,
    candidates: [
      { member_id: ann, eligible: false },
      { member_id: cid, position: 1 },
    ],
    fallback_used: ['round_robin: no eligible member', `member ${bob}: inactive`],
  })
  expect(decide(rule, [ann, bob, cid].map(away))).toMatchObject({
    outcome: 'unassigned',
    step: 3,
    reason: `“A rule” matched (round_robin: no eligible member; member ${bob}: inactive; member ${cid}: inactive; pond: no active member), but no member can take the lead now: of 1 candidate, 1 inactive.`,
  })
})
