import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Brokerage, openBrokerage } from '#test/support/brokerage.ts'
import { createProgram } from '../../cli/program.ts'

let brokerage: Brokerage
beforeAll(async () => {
  brokerage = await openBrokerage('routing_leads_commands')
})
afterAll(() => brokerage[Symbol.asyncDispose]())

test('`routing-rules test` returns what the preview returns, and takes a draft of the rules', async () => {
  const { agent, output, document, file, ids } = brokerage
  await brokerage.setRules()
  const lead = { source: 'Website', zip: '60201', price: 450_000 }
  const options = ['--source', 'Website', '--zip', '60201', '--price', '450000']
  const draft = await file('draft.json', { ...document, rules: [] })
  const [preview, tested, drafted, renting] = await Promise.all([
    agent.post('/leads/routing-preview', lead),
    output('test', ...options),
    output('test', ...options, '--rules', `@${draft}`),
    output('test', '--data', await file('lead.json', { ...lead, context: { intent: 'rent' } })),
  ])
  expect(tested).toEqual(preview.body)
  expect(tested).toMatchObject({ assignee_id: ids.ada, matched_rule: { name: 'North Shore' } })
  expect(drafted).toMatchObject({ assignee_id: ids.bo, considered: [] })
  expect(renting).toMatchObject({
    assignee_id: ids.bo,
    reason: expect.stringMatching(/^No rule matched, .* goes to member /),
    considered: [{ failing_conditions: [{ field: 'context.intent' }] }, {}],
  })
})

test('a lead is tested as of another time, and issues of a draft have its paths', async () => {
  const { agent, document } = brokerage
  const [north, referrals] = document.rules
  const schedule = { days: ['mon'], from: '09:00', to: '17:00' }
  const rules = { ...document, rules: [{ ...north, schedule }, referrals] }
  const ask = (more: object) =>
    agent.post('/routing-rules/test', { source: 'Website', zip: '60201', rules, ...more })
  const at = async (time: string) => (await ask({ at: time })).body['matched_rule'].name
  expect(await at('2026-11-23T16:00:00Z')).toBe('North Shore')
  expect(await at('2026-11-24T16:00:00Z')).not.toBe('North Shore')
  const pathsOf = async (more: object) => (await ask(more)).body['error'].details
  expect(await pathsOf({ area_cod: '773' })).toEqual([
    { path: 'area_cod', message: 'is not a known field; did you mean area_code?' },
  ])
  const unknown = { method: 'direct', pool: { members: ['cmi8h0x2d0000q1w4e7r9t2y5'] } }
  expect(await pathsOf({ rules: { rules: [], default: unknown } })).toMatchObject([
    { path: 'rules.default.pool.members.0' },
  ])
  expect(await pathsOf({ rules: 'none' })).toMatchObject([{ path: 'rules' }])
})

test('a backtest replays the first decision on each lead and counts erased and manual ones', async () => {
  const { agent, output, document, file, ids, routing } = brokerage
  await brokerage.setRules()
  const capture = async (draft: object) =>
    (await agent.post('/leads', { source: 'Website', ...draft })).body as { id: string; contact_id: string }
  const zip = { context: { zip: '60201' } }
  await capture({ phone: '+13125550111', ...zip })
  const second = await capture({ phone: '+13125550112', ...zip })
  await agent.post(`/leads/${second.id}/assign`, { assignee_id: ids.cy })
  await agent.post(`/leads/${second.id}/assign`)
  await capture({ phone: '+13125550113' })
  const gone = await capture({ phone: '+13125550114', ...zip })
  await agent.delete(`/contacts/${gone.contact_id}`)
  const byHand = await capture({ phone: '+13125550115', skip_routing: true })
  await agent.post(`/leads/${byHand.id}/assign`, { assignee_id: ids.cy })

  const draft = {
    rules: [{ ...document.rules[0], method: 'direct', pool: { members: [ids.bo] } }],
    default: document.default,
  }
  const path = await file('backtest.json', draft)
  const [result, text, none] = await Promise.all([
    output('backtest', '--rules', path, '--since', '1h'),
    routing('backtest', '--rules', path, '--since', '1h'),
    routing('backtest', '--rules', path, '--since', '2056-01-01T00:00:00Z'),
  ])
  expect(result).toMatchObject({
    total: 5,
    differ: 1,
    erased: 1,
    by_hand: 1,
    members: [
      { member_id: ids.bo, was: 2, would_be: 3 },
      { member_id: ids.ada, was: 1, would_be: 0 },
    ],
    rules: [
      { name: 'North Shore', was: 2, would_be: 2 },
      { rule_id: 'default', was: 1, would_be: 1 },
    ],
  })
  expect(result.leads).toHaveLength(5)
  expect(text.out).toMatch(/^total +5\ndiffer +1\nerased +1\nby_hand +1\npaused +-\n/m)
  expect(text.out).toMatch(/^members:\nWAS +WOULD_BE +MEMBER_ID\n2 +3 +Bo Lindqvist\n1 +0 +Ada Reyes$/m)
  expect(none).toMatchObject({ code: 0, out: expect.stringMatching(/^total +0$/m) })
})

test.for([
  ['backtest --rules f', /--since/],
  ['backtest --rules f --since yesterday', /It must be 90s, 30m, 24h, 7d/],
  ['backtest --since 30d', /--rules/],
] as const)('%s is a usage error', async ([command, message]) => {
  const words = ['routing-rules', ...command.split(' ')]
  await expect(createProgram().parseAsync(words, { from: 'user' })).rejects.toThrow(message)
})
