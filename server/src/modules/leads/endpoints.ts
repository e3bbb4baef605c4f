import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { batchEndpoint } from '#kernel/http/batch.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { InsufficientScope } from '#kernel/http/http-errors.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { reaches } from '#kernel/reach.ts'
import { unmaskingScope } from '../access/public.ts'
import {
  type DecisionRow,
  RoutingDecision,
  RoutingPreview,
  listDecisions,
  presentDecision,
  presentPreview,
  previewRoute,
} from '../routing/public.ts'
import { assignLead, rerouteLead } from './assign-lead.ts'
import { captureLead } from './capture-lead.ts'
import { claimLead } from './claim-lead.ts'
import { OnlyCreated } from './errors.ts'
import type { ConsentedLead } from './lead.ts'
import { isRoutingWithheld, presentLead, unrouted } from './present-lead.ts'
import { findLead, leadFilters, listLeads } from './queries.ts'
import { findAgainstSenders } from './recipients.ts'
import { revokeConsent } from './revoke-consent.ts'
import { Assignment, AssignmentResult, Claim, Lead, LeadDraft, LeadPatch, PreviewDraft } from './schemas.ts'
import { setStatus } from './set-status.ts'
import {
  RoutingTest,
  testedDraft,
  factsOfTest,
  requireKnownReferences,
  testRules,
  validateTest,
} from './test-rules.ts'

const erased = '`lead_erased`: the lead has been erased'

export const getLeads = listEndpoint('GET /leads', {
  scope: 'leads:read',
  summary: 'List leads',
  description:
    'Newest first. Without `contacts:read:pii`, `contact_id` is null and you cannot filter by it, because it would reveal whether the phone number of a lead was known.',
  item: Lead,
  filters: leadFilters,
  errors: { 403: '`contact_id` requires contacts:read:pii.' },
  async rows(ctx, { query, page }) {
    if (query.contact_id !== undefined) requirePersonal(ctx)
    return listLeads(ctx.db, query, page, ctx.guarded ? ctx.actor.id : null)
  },
  async complete(leads, ctx) {
    const against = await findAgainstSenders(ctx, leads)
    return leads.map((lead) => ({ id: lead.id, lead, against: against(lead) }))
  },
  present: ({ lead, against }, ctx) => presentLead(lead, ctx, against),
})

export const getLeadCount = countEndpoint(getLeads)

export const postLead = endpoint('POST /leads', {
  scope: 'leads:write',
  summary: 'Capture a lead',
  description:
    'Links the lead to the contact with the same phone number, or else the same email address, or else to a new contact. Routes the lead unless `skip_routing` is true. If the contact lacks a phone number or an email address, Gable fills it in from the lead, unless another contact has it. If the contact has no address, Gable fills it in from the `street`, `city`, `state`, `zip`, and `country` of the `context`, and recognizes other names that forms use. A credential without `contacts:read:pii`, or one that sees only what it created, cannot find out from this whether the number was known: Gable withholds the contact and the routing result from it in this response, when it reads the lead, in events, and in the webhooks of its app. With scopes that read contacts, messages, or calls, it sees what is then done with the person. It can find out that the person has opted out. If the same credential sends a lead with the same `source`, `source_ref`, and phone number again within 30 days, the response is a 200 with the first lead, which stays as it is and is not routed again. Anything else is a new lead.',
  body: LeadDraft,
  responses: { 200: Lead, 201: Lead },
  fields: true,
  handle: async (ctx, { body }) => {
    const { lead: captured, isRepeated } = await captureLead(ctx, body)
    const lead = await shown(ctx.unrestricted(), captured)
    const isTheirs = reaches(ctx.reach, captured.assignee_id)
    const seen = isTheirs ? lead : { ...lead, ...unrouted(captured), contact_id: null }
    return isRepeated ? ok(seen) : created(seen)
  },
})

export const postLeadBatch = batchEndpoint(postLead, 'Capture many leads', 'LeadBatch')

/** Throws 403 for a credential that must not learn whose a number is. */
function requirePersonal({ masked, guarded }: Ctx): void {
  if (masked) throw InsufficientScope(unmaskingScope)
  if (guarded) throw OnlyCreated()
}

/** Throws the same error if the lead's routing is withheld from the credential, and 404 if there is no such lead. */
async function requireRouting(ctx: Ctx, id: string): Promise<void> {
  if (isRoutingWithheld(orNotFound(await findLead(ctx.db, id)), ctx)) requirePersonal(ctx)
}

export const getLead = endpoint('GET /leads/{id}', {
  scope: 'leads:read',
  summary: 'Retrieve a lead',
  description:
    '`routing` names the rule that assigned the lead and the reason. For all decisions, list the routing of the lead.',
  responses: { 200: Lead },
  fields: true,
  handle: async (ctx, { params }) => ok(await shown(ctx, orNotFound(await findLead(ctx.db, params.id)))),
})

export const patchLead = endpoint('PATCH /leads/{id}', {
  scope: 'leads:write',
  summary: "Update a lead's status",
  description: "A closed lead no longer counts toward its assignee's open leads.",
  body: LeadPatch,
  responses: { 200: Lead },
  fields: true,
  errors: { 409: `${erased}.` },
  handle: async (ctx, { params, body }) => ok(await shown(ctx, await setStatus(ctx, params.id, body.status))),
})

export const postAssign = endpoint('POST /leads/{id}/assign', {
  scope: 'leads:write',
  summary: 'Assign a lead',
  description:
    'Assigns the lead to a member. If you omit `assignee_id`, the routing rules decide. The assignee also becomes the owner of the contact. If nothing changes, `decision` is null and `reason` says why.',
  body: Assignment,
  responses: { 200: AssignmentResult },
  errors: {
    404: 'The lead or the member in `assignee_id` does not exist in this workspace.',
    409: `\`member_inactive\`: the member has left the workspace; \`lead_closed\`: the lead is converted or disqualified; ${erased}.`,
  },
  handle: async (ctx, { params: { id }, body }) => {
    const routed = body.assignee_id === undefined ? await rerouteLead(ctx, id) : undefined
    const { lead, record } = routed ?? (await assignLead(ctx, id, body.assignee_id ?? ''))
    if (isRoutingWithheld(lead, ctx)) return ok(withheldResult(lead, body.assignee_id ?? null))
    const { status, assignee_id, waits_for, offered_to, offered_until } = lead
    return ok({
      lead_id: id,
      changed: record !== undefined,
      status,
      assignee_id,
      waits_for,
      offered_to,
      offered_until,
      reason: record?.reason ?? routed?.decision.reason ?? 'The member already has this lead.',
      decision: record === undefined ? null : await shownDecision(ctx, record),
    })
  },
})

/** The result when routing is withheld. `changed` is always true: the real value would reveal who had the lead before. */
const withheldResult = ({ id, status }: ConsentedLead, assignee_id: string | null) => ({
  lead_id: id,
  changed: true,
  status: assignee_id === null && status !== 'contacted' ? ('new' as const) : status,
  assignee_id,
  waits_for: null,
  offered_to: [],
  offered_until: null,
  reason: 'Withheld without contacts:read:pii.',
  decision: null,
})

export const postClaim = endpoint('POST /leads/{id}/claim', {
  scope: 'leads:write',
  summary: 'Claim an offered lead',
  description: 'The first member to claim the lead gets it.',
  body: Claim,
  responses: { 200: Lead },
  fields: true,
  errors: {
    404: 'The lead or the member in `member_id` does not exist in this workspace.',
    409: `\`lead_not_offered\`: the lead is not, or no longer, offered to this member; \`member_inactive\`: the member has left the workspace; ${erased}.`,
  },
  prepare: (ctx, { params }) => requireRouting(ctx, params.id),
  handle: async (ctx, { params, body }) =>
    ok(await shown(ctx, await claimLead(ctx, params.id, body.member_id))),
})

export const getLeadRouting = listEndpoint('GET /leads/{id}/routing', {
  scope: 'leads:read',
  summary: "Explain a lead's routing",
  description:
    'Returns every routing decision of the lead, newest first, with the rules that were considered and the conditions that failed.',
  item: RoutingDecision,
  async rows(ctx, { params, page }) {
    const [lead, rows] = await Promise.all([
      findLead(ctx.db, params.id),
      listDecisions(ctx.db, params.id, page),
    ])
    if (isRoutingWithheld(orNotFound(lead), ctx)) requirePersonal(ctx)
    // For a lead that is only offered, withhold the facts that the rules tested, like the lead's personal data.
    const isTheirs = reaches(ctx.reach, orNotFound(lead).assignee_id)
    return isTheirs ? rows : rows.map((row) => ({ ...row, facts: null }))
  },
  present: (row, ctx) => shownDecision(ctx, row),
})

export const deleteConsent = endpoint('DELETE /leads/{id}/consent', {
  scope: 'leads:write',
  summary: 'Revoke consent',
  description:
    'Records that the person revokes their consent. The revocation applies to the person, not only to this lead (47 CFR 64.1200(a)(10)): it covers every other lead with the same phone number or of the same contact, and every consent captured before, even if it arrives later. A consent captured after the revocation counts again. Captured consents are never changed.',
  responses: { 200: Lead },
  errors: { 404: 'The lead does not exist, or it has no consent.', 409: `${erased}.` },
  handle: async (ctx, { params }) => ok(await shown(ctx, await revokeConsent(ctx, params.id))),
})

export const postPreview = endpoint('POST /leads/routing-preview', {
  scope: 'leads:read',
  summary: 'Preview the routing of a lead',
  description:
    'Returns who would get this lead now, and why, with every rule, the conditions that failed, and every candidate. Changes nothing and notifies no one.',
  body: PreviewDraft,
  readOnly: true,
  responses: { 200: RoutingPreview },
  errors: { 404: '`office_id` or `team_id` does not exist in this workspace.' },
  prepare: (ctx, { body }) => requireKnownReferences(ctx, body),
  handle: async (ctx, { body }) => ok(presentPreview(await previewRoute(ctx, factsOfTest(body)))),
})

export const postRoutingRulesTest = endpoint('POST /routing-rules/test', {
  scope: 'settings:manage',
  tag: 'Routing rules',
  summary: 'Test routing rules',
  description:
    'Returns who would get this lead, and why, like `POST /leads/routing-preview`: by a draft in `rules` or by the current rules, now or at another time, and for everything that rules can test. A member that you omit is that of an unknown person with only a phone number. Changes nothing and notifies no one.',
  body: RoutingTest,
  validateBody: validateTest,
  readOnly: true,
  responses: { 200: RoutingPreview },
  errors: {
    404: '`office_id`, `team_id`, or `owner_id` does not exist in this workspace.',
    409: '`conflict`: the rules have changed since the `version` in `rules`.',
  },
  async prepare(ctx, { body }) {
    await requireKnownReferences(ctx, body)
    return testedDraft(ctx, body)
  },
  handle: async (ctx, { body }, draft) => ok(await testRules(ctx, body, draft)),
})

const shown = async (ctx: Ctx, lead: ConsentedLead) =>
  presentLead(lead, ctx, (await findAgainstSenders(ctx, [lead]))(lead))

/** Masked credentials do not see the contact's tags and stage in failed conditions: they would reveal whether the sender was known. */
async function shownDecision(ctx: Ctx, row: DecisionRow) {
  const decision = await presentDecision(ctx, row)
  if (!ctx.guarded) return decision
  const considered = decision.considered.map((rule) => ({
    ...rule,
    failing_conditions: rule.failing_conditions.map((one) =>
      one.field === 'tags' || one.field === 'stage' ? { ...one, actual: null } : one,
    ),
  }))
  return { ...decision, considered }
}
