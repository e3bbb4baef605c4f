import { setImmediate } from 'node:timers/promises'
import type { Ctx } from '#kernel/context.ts'
import { ReferenceNotFound, found } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { ListOf } from '#kernel/http/paging.ts'
import {
  type DecisionRow,
  RoutingDecision,
  RoutingPreview,
  listDecisions,
  presentDecision,
  presentPreview,
  previewRoute,
} from '../routing/public.ts'
import { findStrangers } from '../workspaces/public.ts'
import { assignLead, rerouteLead } from './assign-lead.ts'
import { captureLead } from './capture-lead.ts'
import { claimLead } from './claim-lead.ts'
import { strangerFacts } from './facts.ts'
import type { ConsentedLead } from './lead.ts'
import { maskDeep, presentLead } from './present-lead.ts'
import { findLead, listLeads } from './queries.ts'
import { recipientBlockers } from './recipient-blockers.ts'
import { revokeConsent } from './revoke-consent.ts'
import {
  Assignment,
  AssignmentResult,
  Claim,
  Lead,
  LeadDraft,
  LeadFilters,
  LeadPatch,
  PreviewDraft,
} from './schemas.ts'
import { setStatus } from './set-status.ts'

const tag = 'Leads'
const erased = '`lead_erased`: the lead has been erased'

export const getLeads = endpoint('GET /leads', {
  scope: 'leads:read',
  tag,
  summary: 'List leads',
  description: 'Newest first.',
  query: LeadFilters,
  answers: { 200: ListOf(Lead) },
  list: true,
  fields: true,
  handle: async (ctx, { query: { contact_id, unlinked_only }, page }) => {
    const rows = await listLeads(ctx.db, { contact_id, unlinked: unlinked_only === 'true' }, page)
    const blockersOf = await recipientBlockers(ctx, rows)
    return ok(page.answer(rows, (lead) => presentLead(lead, ctx, blockersOf(lead))))
  },
})

export const postLead = endpoint('POST /leads', {
  scope: 'leads:write',
  tag,
  summary: 'Capture a lead',
  description:
    'Links it to the contact with the same phone number or else e-mail address, or makes one, and routes it unless `skip_routing` is true. A credential without contacts:read:pii must not learn whether the number was known: its answer says nothing of contact, status and routing, which a later GET does. That the person has opted out is said all the same.',
  body: LeadDraft,
  answers: { 201: Lead },
  fields: true,
  handle: async (ctx, { body }) => {
    const lead = await shown(ctx, await captureLead(ctx, body))
    return created(ctx.scopes.has('contacts:read:pii') ? lead : { ...lead, ...withheld })
  },
})

/** An old contact, or an agent who has them already, would tell that the number was known. */
const withheld = {
  contact_id: null,
  status: 'new',
  assignee_id: null,
  waits_for: null,
  offered_to: [],
  offered_until: null,
  routing: null,
}

export const getLead = endpoint('GET /leads/{id}', {
  scope: 'leads:read',
  tag,
  summary: 'Read a lead',
  answers: { 200: Lead },
  fields: true,
  handle: async (ctx, { params }) => ok(await shown(ctx, found(await findLead(ctx.db, params.id)))),
})

export const patchLead = endpoint('PATCH /leads/{id}', {
  scope: 'leads:write',
  tag,
  summary: "Set a lead's status",
  description: 'A closed lead counts for nobody’s open leads.',
  body: LeadPatch,
  answers: { 200: Lead },
  fields: true,
  errors: { 409: `${erased}.` },
  handle: async (ctx, { params, body }) => ok(await shown(ctx, await setStatus(ctx, params.id, body.status))),
})

export const postAssign = endpoint('POST /leads/{id}/assign', {
  scope: 'leads:write',
  tag,
  summary: 'Assign a lead',
  description:
    "To a member, or by the rules where none is named. The contact becomes the assignee's. Where that changes nothing `decision` is null, and `reason` says why.",
  body: Assignment,
  answers: { 200: AssignmentResult },
  errors: {
    404: 'No such lead, or `assignee_id` names nobody in this workspace.',
    409: `\`member_inactive\`: the member has left; \`lead_closed\`: the lead is converted or disqualified; ${erased}.`,
  },
  handle: async (ctx, { params: { id }, body }) => {
    const routed = body.assignee_id === undefined ? await rerouteLead(ctx, id) : undefined
    const { lead, record } = routed ?? (await assignLead(ctx, id, body.assignee_id ?? ''))
    const { status, assignee_id, waits_for, offered_to, offered_until } = lead
    return ok({
      lead_id: id,
      changed: record !== undefined,
      status,
      assignee_id,
      waits_for,
      offered_to,
      offered_until,
      reason: record?.reason ?? routed?.decision.reason ?? 'It is theirs already.',
      decision: record === undefined ? null : await shownDecision(ctx, record),
    })
  },
})

export const postClaim = endpoint('POST /leads/{id}/claim', {
  scope: 'leads:write',
  tag,
  summary: 'Claim a lead that is offered',
  description: 'The first of those to whom it is offered gets it.',
  body: Claim,
  answers: { 200: Lead },
  fields: true,
  errors: {
    404: 'No such lead, or `member_id` names nobody in this workspace.',
    409: `\`lead_not_offered\`: it is not, no longer, or not to this member; \`member_inactive\`: the member has left; ${erased}.`,
  },
  handle: async (ctx, { params, body }) =>
    ok(await shown(ctx, await claimLead(ctx, params.id, body.member_id))),
})

export const getLeadRouting = endpoint('GET /leads/{id}/routing', {
  scope: 'leads:read',
  tag,
  summary: 'Why a lead is with whom it is',
  description:
    'Every decision on it, newest first, with the rules that were considered and on what they failed.',
  answers: { 200: ListOf(RoutingDecision) },
  list: true,
  fields: true,
  handle: async (ctx, { params, page }) => {
    const [lead, rows] = await Promise.all([
      findLead(ctx.db, params.id),
      listDecisions(ctx.db, params.id, page),
    ])
    found(lead)
    const decisions = new Map<string, object>()
    for (const row of rows) {
      decisions.set(row.id, await shownDecision(ctx, row))
      // Explaining many decisions by many rules takes a while; others have their turn in between.
      await setImmediate()
    }
    return ok(page.answer(rows, ({ id }) => found(decisions.get(id))))
  },
})

export const deleteConsent = endpoint('DELETE /leads/{id}/consent', {
  scope: 'leads:write',
  tag,
  summary: 'Revoke a consent',
  description:
    'The person has taken back what came with the lead. What was captured is kept as it was; that it was revoked, and when, is kept beside it.',
  answers: { 200: Lead },
  errors: { 404: 'No such lead, or one that came without a consent.', 409: `${erased}.` },
  handle: async (ctx, { params }) => ok(await shown(ctx, await revokeConsent(ctx, params.id))),
})

export const postPreview = endpoint('POST /leads/routing-preview', {
  scope: 'leads:read',
  tag,
  summary: 'Preview the routing of a lead',
  description:
    'Who would get such a lead now, and why: every rule with the conditions on which it fails, and every candidate. Changes nothing and tells nobody.',
  body: PreviewDraft,
  answers: { 200: RoutingPreview },
  errors: { 404: '`office_id` or `team_id` names nothing in this workspace.' },
  prepare: (ctx, { body }) => requireKnown(ctx, body),
  handle: async (ctx, { body }) => {
    const facts = { ...strangerFacts, ...body, tags: body.tags ?? [] }
    return ok(presentPreview(await previewRoute(ctx, facts)))
  },
})

const shown = async (ctx: Ctx, lead: ConsentedLead) =>
  presentLead(lead, ctx, (await recipientBlockers(ctx, [lead]))(lead))

/** What a credential may not see of the contact is not told by way of the rules that asked for it. */
async function shownDecision(ctx: Ctx, row: DecisionRow) {
  const decision = await presentDecision(ctx, row)
  const considered = decision.considered.map((rule) => ({
    ...rule,
    failing_conditions: rule.failing_conditions.map((one) => ({ ...one, actual: shownActual(ctx, one) })),
  }))
  return { ...decision, considered }
}

function shownActual({ scopes }: Ctx, { field, actual }: { field: string; actual: unknown }): unknown {
  if ((field === 'tags' || field === 'stage') && !scopes.has('contacts:read')) return null
  return scopes.has('contacts:read:pii') ? actual : maskDeep(actual)
}

async function requireKnown({ db }: Ctx, { office_id, team_id }: PreviewDraft): Promise<void> {
  if (office_id === undefined && team_id === undefined) return
  const offices = office_id === undefined ? [] : [office_id]
  const teams = team_id === undefined ? [] : [team_id]
  const strangers = await findStrangers(db, { members: [], teams, offices })
  if (office_id !== undefined && strangers.has(office_id)) throw ReferenceNotFound('office_id')
  if (team_id !== undefined && strangers.has(team_id)) throw ReferenceNotFound('team_id')
}
