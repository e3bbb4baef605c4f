import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Brokerage, openBrokerage } from '#test/support/brokerage.ts'

let brokerage: Brokerage
beforeAll(async () => {
  brokerage = await openBrokerage('routing_leads_commands')
})
afterAll(() => brokerage[Symbol.asyncDispose]())

test('`routing test` returns what the preview returns, takes draft rules, and prints names', async () => {
  const { agent, output, document, file, ids, routing } = brokerage
  await brokerage.setRules()
  const lead = { source: 'Website', zip: '60201', price: 450_000 }
  const draft = { ...document, rules: [] }
  const context = { ...lead, context: { intent: 'rent' } }
  const [preview, tested, drafted, text] = await Promise.all([
    agent.post('/leads/routing-preview', lead),
    output('test', '--lead', JSON.stringify(lead)),
    output('test', '--lead', JSON.stringify(lead), '--rules', await file('draft.json', draft)),
    routing('test', '--file', await file('lead.json', context)),
  ])
  expect(tested).toEqual(preview.body)
  expect(tested).toMatchObject({ assignee_id: ids.ada, matched_rule: { name: 'North Shore' } })
  expect(drafted).toMatchObject({ assignee_id: ids.bo, considered: [] })
  expect(text.out).toMatch(/^Bo Lindqvist would get it\.\nNo rule matched, .* goes to Bo Lindqvist\.\n/)
  expect(text.out).toMatch(/^North Shore +no +it must not be that context\.intent is rent$/m)
  expect(text.out).toMatch(/^Referrals +no +source is Referral, but it is Website$/m)
  expect(text.out).toMatch(/^Bo Lindqvist +1 +yes +-$/m)
})

test('a paused agent gets no leads, and agents are found by id, email, or unique name', async () => {
  const { output, file, ids, routing } = brokerage
  await brokerage.setRules()
  const who = { source: 'Website', zip: '60201' }
  const paused = await output('agent', 'pause', 'ada reyes', '--until', '2056-01-01T00:00:00Z')
  expect(paused).toMatchObject({
    id: ids.ada,
    paused: true,
    paused_until: '2056-01-01T00:00:00.000Z',
  })
  const shifts = await file('shifts.json', [{ days: ['mon', 'tue', 'wed'], from: '22:00', to: '06:00' }])
  const [lead, several, off] = await Promise.all([
    output('test', '--lead', JSON.stringify(who)),
    routing('agent', 'pause', 'Cy Okafor'),
    output('agent', 'shifts', 'cyrus@lantern.example', '--file', shifts, '--timezone', 'America/Denver'),
  ])
  expect(lead).toMatchObject({
    assignee_id: ids.bo,
    candidates: [{ member_id: ids.ada, excluded_reasons: ['paused'] }, { member_id: ids.bo }],
  })
  expect(several).toMatchObject({ code: 1, err: expect.stringContaining('cy@lantern.example, cyrus@') })
  expect(off).toMatchObject({
    id: ids.cyrus,
    timezone: 'America/Denver',
    shifts: [{ from: '22:00' }],
  })
  const [agents] = await Promise.all([routing('agents'), output('agent', 'shifts', ids.bo, '--always')])
  expect(agents.out).toMatch(/^Ada Reyes +no, paused until 2056-01-01T00:00:00\.000Z +always +- +0 +-$/m)
  expect(agents.out).toMatch(
    /^Cy Okafor <cyrus@lantern\.example> +yes +mon–wed 22:00–06:00 +America\/Denver /m,
  )
  expect(await output('agent', 'resume', ids.ada)).toMatchObject({
    paused: false,
    paused_until: null,
  })
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
  expect(text.out).toMatch(
    /^3 leads since .* were replayed, 1 left out that a person assigned, 1 left out that were erased\.\n1 of them \(33 %\)/,
  )
  expect(text.out).toMatch(/^Bo Lindqvist +2 +3 +\+1\nAda Reyes +1 +0 +−1$/m)
  expect(none.out).toMatch(/^0 leads since 2056-01-01T00:00:00\.000Z were replayed\.\n$/)
})
