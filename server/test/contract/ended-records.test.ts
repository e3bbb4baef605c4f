import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client, Response } from '../support/client.ts'
import { fingerprint, fingerprintBefore } from '../support/database.ts'
import type { Schema } from './hostile-values.ts'
import { namedIn, withNamed } from './places.ts'
import {
  ask,
  kindsOf,
  makeReferent,
  membersOf,
  parametersOf,
  pathToNew,
  prefixOf,
  takesId,
} from './requests.ts'
import { isReference } from './tenants.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  agent = await workspace.credential()
})
afterAll(() => app[Symbol.asyncDispose]())

const routeOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** The ways in which a record ends: by its own DELETE, or by a PATCH of one of these fields. */
const endings: Record<string, boolean> = { archived: true, active: false }

interface Ending {
  how: 'deleted' | 'archived' | 'inactive'
  end(id: string): Promise<Response>
}

/** How the record at this path ends, by the endpoints of the path. */
function endingOf(prefix: string): Ending | undefined {
  const at = (id: string) => prefix.replace(/\{\w+\}$/, id)
  const find = (method: string) => endpoints.find((one) => one.method === method && one.path === prefix)
  if (find('DELETE') !== undefined)
    return {
      how: 'deleted',
      async end(id) {
        // Only a persona that is off can be deleted.
        if (prefix === '/personas/{id}') await agent.patch(at(id), { mode: 'off', enabled: false })
        return agent.delete(at(id))
      },
    }
  const patch = find('PATCH')
  const field = patch && membersOf(patch).find(([name]) => name in endings)?.[0]
  if (field === undefined) return undefined
  return {
    how: field === 'archived' ? 'archived' : 'inactive',
    async end(id) {
      if (prefix === '/automations/{id}') await agent.post(`/automations/${id}/disable`)
      return agent.patch(at(id), { [field]: endings[field] })
    },
  }
}

const nounOf = (name: string, schema: Schema) => schema['x-references'] ?? name.replace(/_id$/, '')
const pathOfNoun = (noun: string) => `/${noun.replaceAll('_', '-')}s/{id}`

/** What a request gets, where it is not the rule below: the status, the code, and why. */
type Exceptions = Record<string, [outcome: string, reason: string]>

const inPaths: Exceptions = {
  'DELETE /contacts/{id}': ['200', 'A second erasure returns the time of the first.'],
  'PATCH /automations/{id}': ['200', 'This restores it.'],
  'POST /automations/{id}/backfills': ['409 automation_disabled', 'Only a disabled automation is archived.'],
  'POST /automations/{id}/enroll': ['409 automation_disabled', 'Only a disabled automation is archived.'],
  'POST /automations/{id}/enable': ['409 automation_archived', 'It must be restored first.'],
  'POST /automations/{id}/disable': ['200', 'It says what becomes of those who are still enrolled.'],
  'POST /automations/{id}/dry-run': ['200', 'It changes nothing.'],
  'POST /automations/{id}/explain': ['200', 'It changes nothing.'],
  'POST /automations/{id}/migrate': ['202', 'Those who are still enrolled may follow another version.'],
  'POST /automations/{id}/publish': ['200', 'A version enrolls no one until the automation is enabled.'],
  'PATCH /members/{id}': ['200', 'This activates the member.'],
  'PATCH /pipelines/{id}': ['200', 'This restores it.'],
}

const keeps = 'Records may stay with a member who has left, and imports keep whose they were.'
const wasThere = 'It records who took part, also of those who have left.'
const inBodies: Exceptions = {
  'POST /api-keys member_id': [
    '404 not_found member_id',
    'A key of a member who has left would open nothing.',
  ],
  'POST /appointments attendees.0.member_id': ['201', wasThere],
  'PATCH /appointments/{id} attendees.0.member_id': ['200', wasThere],
  'POST /automations/{id}/dry-run contact_id': ['200', 'It changes nothing.'],
  'POST /automations/{id}/explain contact_id': ['200', 'It says that the contact cannot enter.'],
  'POST /calls contact_id': [
    '422 compliance_blocked',
    'The gates say so, and the call is recorded as blocked.',
  ],
  'POST /calls/preflight contact_id': ['200', 'It says that the call would be blocked.'],
  'POST /campaigns/{id}/test example_contact_id': ['201', 'The test shows the defaults of its placeholders.'],
  'POST /contacts owner_id': ['201', keeps],
  'POST /contacts/batch items.0.owner_id': ['200', keeps],
  'PATCH /contacts/{id} owner_id': ['200', keeps],
  'POST /deals owner_id': ['201', keeps],
  'PATCH /deals/{id} owner_id': ['200', keeps],
  'POST /deals participants.0.member_id': ['201', wasThere],
  'PATCH /deals/{id} participants.0.member_id': ['200', wasThere],
  'POST /documents owner_id': ['201', keeps],
  'PATCH /documents/{id} owner_id': ['200', keeps],
  'POST /listings list_agent_id': ['201', keeps],
  'PATCH /listings/{id} list_agent_id': ['200', keeps],
  'POST /listings/batch listings.0.list_agent_id': ['200', keeps],
  'POST /messages contact_id': [
    '422 compliance_blocked',
    'The gates say so, and the message is recorded as blocked.',
  ],
  'POST /messages/preflight contact_id': ['200', 'It says that the message would be blocked.'],
  'POST /routing-rules/test owner_id': ['200', 'It changes nothing.'],
  'POST /teams/{id}/members member_id': ['200', 'A team may be prepared before its members are activated.'],
}

/** Sends the request, and returns its status, code and field. What is rejected has changed nothing. */
async function outcomeOf(send: () => Promise<Response>): Promise<string> {
  const before = await fingerprintBefore(app.databaseUrl)
  const { status, body } = await send()
  const error = body['results']?.[0]?.error ?? body['error']
  // A blocked message is recorded.
  if (error?.code !== undefined && status !== 422) expect(await fingerprint(app.databaseUrl)).toEqual(before)
  const { code, details } = error ?? {}
  return [
    error?.code === undefined || body['results'] === undefined ? status : 'row',
    code,
    details?.[0]?.path,
  ]
    .join(' ')
    .trim()
}

const ended = endpoints
  .filter(takesId)
  // The record in its path has been deleted.
  .filter(({ path }) => !prefixOf(path).includes('}/') && !path.endsWith('/restore'))
  .flatMap((endpoint) => {
    const ending = endingOf(prefixOf(endpoint.path))
    return ending === undefined ? [] : [{ endpoint, ending, route: routeOf(endpoint), how: ending.how }]
  })

test.each(ended)(
  '$route gets the declared response if the record is $how',
  async ({ endpoint, ending, route }) => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    expect((await ending.end(path.split('/')[2] ?? '')).status).toBeLessThan(300)
    const isGone = ending.how === 'deleted' && !endpoint.path.startsWith('/contacts/')
    const otherwise = endpoint.method === 'GET' ? '200' : '409 contact_erased'
    const rule = isGone ? '404 not_found' : otherwise
    expect(await outcomeOf(() => ask(agent, endpoint, path))).toBe(inPaths[route]?.[0] ?? rule)
  },
)

const named = endpoints.flatMap(kindsOf).flatMap((endpoint) =>
  namedIn(endpoint).flatMap((place) => {
    const ending = endingOf(pathOfNoun(nounOf(place.path.at(-1) ?? '', place.schema)))
    const key = `${routeOf(endpoint)} ${place.path.join('.')}`
    return ending === undefined ? [] : [{ endpoint, place, ending, key }]
  }),
)

test.each(named)(
  '$key gets the declared response if the record is $ending.how',
  async ({ endpoint, place, ending, key }) => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const id = await makeReferent(place.path.at(-1) ?? '', place.schema, workspace)
    expect((await ending.end(id)).status).toBeLessThan(300)
    const name = place.path.join('.')
    const isContact = nounOf(name, place.schema) === 'contact'
    const rules = {
      archived: '409 pipeline_archived',
      inactive: `409 member_inactive ${name}`,
      deleted: isContact ? '409 contact_erased' : `404 not_found ${name}`,
    }
    const rule = endpoint.path === '/listings/batch' ? 'row contact_erased' : rules[ending.how]
    const send = () => agent.request(endpoint.method, path, { body: withNamed(endpoint, place, id) })
    expect(await outcomeOf(send)).toBe(inBodies[key]?.[0] ?? rule)
  },
)

const filters = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap((endpoint) =>
    parametersOf(endpoint).flatMap(([name, schema]) => {
      const ending = isReference([name, schema]) ? endingOf(pathOfNoun(nounOf(name, schema))) : undefined
      return ending === undefined ? [] : [{ endpoint, name, schema, ending, route: routeOf(endpoint) }]
    }),
  )

/** Records that a list, a count, or a board has found. */
const foundIn = (body: Response['body']): number =>
  body['count'] ?? (body['data'] ?? body['stages'].flatMap(({ deals }: { deals: unknown[] }) => deals)).length

/** What happened to an erased contact stays in the journal, without personal data. */
const journals = new Set(['/events', '/events/count'])

test.each(filters)(
  '$route?$name= of a record that is $ending.how finds what is left',
  async ({ endpoint, name, schema, ending }) => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const id = await makeReferent(name, schema, workspace)
    expect((await ending.end(id)).status).toBeLessThan(300)
    const { status, body } = await agent.get(`${path}?${name}=${id}`)
    expect(status).toBe(200)
    if (journals.has(endpoint.path)) expect(foundIn(body)).toBeGreaterThan(0)
    else expect(foundIn(body)).toBe(0)
  },
)

test('each exception is of a request that is tested', () => {
  expect(ended.map(({ route }) => route)).toEqual(expect.arrayContaining(Object.keys(inPaths)))
  expect(named.map(({ key }) => key)).toEqual(expect.arrayContaining(Object.keys(inBodies)))
})
