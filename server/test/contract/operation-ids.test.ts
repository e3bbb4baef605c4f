import { expect, test } from 'vitest'
import { operationIds } from '#kernel/openapi/operation-ids.ts'
import { endpoints, openApi } from '../../src/api.ts'

const ids = [...operationIds(endpoints).values()]

test('every endpoint has a name of its own, of at least two parts, and none begins with another', () => {
  expect(ids).toHaveLength(endpoints.length)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) {
    expect(id).toMatch(/^[a-z][a-zA-Z]*(\.[a-z][a-zA-Z]*)+$/)
    expect(ids.filter((other) => other.startsWith(`${id}.`))).toEqual([])
  }
})

test.for([
  ['GET /contacts', 'contacts.list'],
  ['POST /contacts', 'contacts.create'],
  ['GET /contacts/{id}', 'contacts.retrieve'],
  ['PATCH /contacts/{id}', 'contacts.update'],
  ['DELETE /contacts/{id}', 'contacts.delete'],
  ['POST /contacts/{id}/notes', 'contacts.notes.create'],
  ['GET /contacts/{id}/evidence', 'contacts.evidence'],
  ['POST /messages/preflight', 'messages.preflight'],
  ['POST /campaigns/{id}/test', 'campaigns.test'],
  ['POST /webhooks/{id}/deliveries/{delivery_id}/redeliver', 'webhooks.deliveries.redeliver'],
  ['POST /webhooks/{id}/rotate-secret', 'webhooks.rotateSecret'],
  ['POST /teams/{id}/members', 'teams.members.create'],
  ['DELETE /teams/{id}/members/{member_id}', 'teams.members.delete'],
  ['DELETE /leads/{id}/consent', 'leads.consent.delete'],
  ['GET /event-types', 'eventTypes.list'],
  ['PUT /routing-rules', 'routingRules.update'],
  ['GET /ping', 'ping.retrieve'],
  ['PATCH /workspace', 'workspace.update'],
  ['GET /ai-settings', 'aiSettings.retrieve'],
] as const)('%s is %s, in the document too', ([route, id]) => {
  const named = [...operationIds(endpoints)].find(([{ method, path }]) => `${method} ${path}` === route)
  expect(named?.[1]).toBe(id)
  const [method = '', path = ''] = route.split(' ')
  const { paths } = openApi() as { paths: Record<string, Record<string, { operationId: string }>> }
  expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(id)
})
