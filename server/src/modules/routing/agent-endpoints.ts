import type { Static } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { seesWhole } from '../workspaces/public.ts'
import { findAgent, listAgents } from './agent-queries.ts'
import { type AgentRow, ShownAgent, agentAt, agents } from './agent.ts'
import { setAvailability } from './set-availability.ts'

const scope = 'settings:manage'
const tag = 'Agents'

/** The agent as the caller may see them. A colleague's count of leads would reveal whether a person was known. */
function present(row: AgentRow, ctx: Ctx): Static<typeof ShownAgent> {
  const agent = agentAt(row, ctx.clock.now())
  return seesWhole(ctx, row.id) ? agent : { ...agent, shifts: null, open_leads: null, last_assigned_at: null }
}

export const getAgents = listEndpoint('GET /agents', {
  scope: 'any',
  tag,
  summary: 'List agents',
  description:
    'Returns every member, newest first, with when they take leads and how many they have. `compliance` and `developer` members get leads only from rules that name them.',
  item: ShownAgent,
  rows: (ctx, { page }) => listAgents(ctx.db, page),
  present,
})

export const getAgent = endpoint('GET /agents/{id}', {
  scope: 'any',
  tag,
  summary: 'Retrieve an agent',
  description: 'The `id` is the ID of the member.',
  responses: { 200: ShownAgent },
  fields: true,
  handle: async (ctx, { params }) => ok(present(orNotFound(await findAgent(ctx.db, params.id)), ctx)),
})

export const patchAgent = endpoint('PATCH /agents/{id}', {
  scope,
  tag,
  summary: 'Pause an agent, end a pause, or set shifts',
  description:
    'Takes effect with the next routing decision. Assigned leads stay with their members. A new pause does not keep the end of the previous pause. After a pause, an agent does not catch up on missed leads.',
  body: agents.Patch,
  responses: { 200: ShownAgent },
  fields: true,
  handle: async (ctx, { params, body }) => ok(present(await setAvailability(ctx, params.id, body), ctx)),
})
