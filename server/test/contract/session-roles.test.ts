import { afterAll, beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { personIn } from '../support/browser.ts'
import type { Client } from '../support/client.ts'
import { sessionClient } from '../support/session-client.ts'
import { ask, inGroups, makeRecords, pathToNew, pathWithin, takesId } from './requests.ts'

/** The scopes of the contract, and who has them besides owners and admins. */
const holders: Record<string, readonly string[]> = {
  'contacts:read': ['isa', 'agent', 'compliance'],
  'contacts:read:pii': ['isa', 'agent', 'compliance'],
  'contacts:write': ['isa', 'agent'],
  'leads:read': ['isa', 'agent', 'compliance'],
  'leads:write': ['isa', 'agent'],
  'events:read': ['isa', 'agent', 'compliance'],
  'messages:read': ['isa', 'agent', 'compliance'],
  'messages:send': ['isa', 'agent'],
  'messages:send_only': ['isa', 'agent'],
  'calls:read': ['isa', 'agent', 'compliance'],
  'calls:write': ['isa', 'agent'],
  'deals:read': ['isa', 'agent', 'compliance'],
  'deals:write': ['isa', 'agent'],
  'listings:read': ['isa', 'agent', 'compliance'],
  'listings:write': ['isa', 'agent'],
  'appointments:read': ['isa', 'agent', 'compliance'],
  'appointments:write': ['isa', 'agent'],
  'automations:read': ['isa', 'agent', 'compliance'],
  'automations:write': [],
  'automations:manage': ['isa', 'agent'],
  'compliance:read': ['compliance'],
  'compliance:write': ['compliance'],
  'webhooks:manage': ['developer'],
  'settings:manage': [],
}

const scopesOf = (role: string) =>
  Object.keys(holders).filter(
    (scope) => role === 'owner' || role === 'admin' || holders[scope]?.includes(role),
  )

const scoped = endpoints.filter(({ scope }) => scope !== 'public' && scope !== 'any')

/** An endpoint per scope: if there is one, an endpoint that names no record, so that nothing is out of reach. */
const samples = [...Map.groupBy(scoped, ({ scope }) => scope).values()].map((all) =>
  orNotFound(all.find((one) => !takesId(one)) ?? all[0]),
)

let app: TestApp
let workspace: TestWorkspace
let system: Client
let made: ReadonlyMap<string, string[]>

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  system = await workspace.credential()
  made = await makeRecords(system)
})
afterAll(() => app[Symbol.asyncDispose]())

test('each scope but the one that unmasks opens an endpoint', () => {
  const sufficient = scoped.flatMap(({ sufficientScope = [] }) => sufficientScope)
  const opened = ['contacts:read:pii', ...samples.map(({ scope }) => scope), ...sufficient]
  expect(opened.toSorted()).toEqual(Object.keys(holders).toSorted())
})

test.each(['owner', 'admin', 'isa', 'agent', 'compliance', 'developer'] as const)(
  'a signed-in %s may use each scope of the role and gets 403 for every endpoint outside them',
  async (role) => {
    const client = await sessionClient(app, await personIn(workspace, role), workspace.id)
    const scopes = scopesOf(role)
    expect((await client.get('/ping')).body['scopes']).toEqual(scopes)
    for (const endpoint of samples.filter(({ scope }) => scopes.includes(scope))) {
      const { status } = await ask(client, endpoint, await pathToNew(endpoint, system))
      // An example may name a record that is out of an agent's reach.
      const expected = [...Object.keys(endpoint.responses), ...(role === 'agent' ? ['404'] : [])]
      expect(expected, `${endpoint.method} ${endpoint.path}`).toContain(String(status))
    }
    const outside = scoped.filter(({ scope }) => !scopes.includes(scope))
    await inGroups(app.clock, outside, async (endpoint) => {
      const { status, body } = await ask(client, endpoint, pathWithin(endpoint, made))
      expect([status, body['error'].code], `${endpoint.method} ${endpoint.path}`).toEqual([
        403,
        'insufficient_scope',
      ])
    })
  },
)
