import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client, Response } from '#test/support/client.ts'
import { createOffice, createTeam } from './public.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client
let member: string
let team: string
let office: string

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  agent = await workspace.credential()
  member = (await workspace.member()).id
  team = (await createTeam(workspace.ctx, { name: 'A team' })).id
  office = (await createOffice(workspace.ctx, { name: 'An office' })).id
})
afterAll(() => app[Symbol.asyncDispose]())

const pathsOf = async (request: Promise<Response>) => {
  const { status, body } = await request
  return [status, body['error']?.details?.map(({ path }: { path: string }) => path)]
}

test('an ID given as that of another noun is blamed there, and passes where it is right', async () => {
  const source = 'Web'
  const pays = (...payees: [string, string][]) =>
    agent.post('/deals', {
      name: 'A deal',
      commission: {
        splits: payees.map(([payee_type, payee_id]) => ({
          payee_type,
          payee_id,
          percent: 100 / payees.length,
        })),
      },
    })
  const direct = { method: 'round_robin' }
  const rule = (name: string, pool: object, more: object = {}) => ({ name, ...direct, pool, ...more })
  const ruled = (...rules: object[]) =>
    agent.request('PUT', '/routing-rules', {
      body: { rules, default: { ...direct, pool: { members: [member] } } },
    })
  const preview = (body: object) => agent.post('/leads/routing-preview', { source, ...body })
  for (const [request, status, paths] of [
    [preview({ office_id: office, team_id: office }), 404, ['team_id']],
    [preview({ office_id: team, team_id: team }), 404, ['office_id']],
    [preview({ office_id: member, team_id: member }), 404, ['office_id', 'team_id']],
    [pays(['office', office], ['team', office]), 404, ['commission.splits.1.payee_id']],
    [pays(['team', team], ['agent', team]), 404, ['commission.splits.1.payee_id']],
    [pays(['agent', office], ['office', office]), 404, ['commission.splits.0.payee_id']],
    [pays(['agent', member], ['office', member]), 404, ['commission.splits.1.payee_id']],
    [pays(['agent', member], ['office', office], ['team', team], ['agent', member]), 201, undefined],
    [ruled(rule('a', { office_id: office }), rule('b', { team_id: office })), 400, ['rules.1.pool.team_id']],
    [ruled(rule('a', { team_id: team }), rule('b', { members: [team] })), 400, ['rules.1.pool.members.0']],
    [
      ruled(
        rule('a', { team_id: team }, { conditions: { field: 'office_id', operator: 'eq', value: team } }),
      ),
      400,
      ['rules.0.conditions.value'],
    ],
  ] as const)
    expect(await pathsOf(request)).toEqual([status, paths])
})

test('in a batch, an unknown ID fails only the rows that name it as what it is not', async () => {
  const rows = [
    { mls_number: 'U1', list_agent_id: member, list_office_id: office },
    { mls_number: 'U2', list_agent_id: office, list_office_id: office },
    { mls_number: 'U3', list_agent_id: member, list_office_id: member },
    { mls_number: 'U4', list_agent_id: member },
    { mls_number: 'U5', list_office_id: office },
    { mls_number: 'U6', list_agent_id: team, list_office_id: team },
  ]
  const { body } = await agent.post('/listings/batch', { listings: rows })
  const faults = body['results'].map(
    ({ error }: { error: { details: { path: string }[] } | null }) => error?.details[0]?.path ?? null,
  )
  expect(faults).toEqual([null, 'list_agent_id', 'list_office_id', null, null, 'list_agent_id'])
})
