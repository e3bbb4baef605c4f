import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { changeMember } from './change-member.ts'
import { Member, type MemberRow, memberFilters, memberRecord, shownMember } from './member.ts'
import { findMember, listMembersPage } from './queries.ts'
import { withTeams } from './team-queries.ts'

const scope = 'any'
const tag = 'Members'

async function present(row: MemberRow, ctx: Ctx) {
  const [member] = await withTeams(ctx.db, [row])
  return shownMember(orNotFound(member), ctx)
}

export const getMembers = listEndpoint('GET /members', {
  scope,
  tag,
  summary: 'List members',
  description:
    'Newest first, including inactive members. Every credential sees who works here. To add members, invite people.',
  item: Member,
  filters: memberFilters,
  rows: ({ db }, { query, page }) => listMembersPage(db, query, page),
  complete: (rows, { db }) => withTeams(db, rows),
  present: shownMember,
})

export const getMemberCount = countEndpoint(getMembers)

export const getMember = endpoint('GET /members/{id}', {
  scope,
  tag,
  summary: 'Retrieve a member',
  description:
    'Members who have left the workspace are included, with `active` set to false, because records still refer to them.',
  responses: { 200: Member },
  fields: true,
  handle: async (ctx, { params }) => ok(await present(orNotFound(await findMember(ctx.db, params.id)), ctx)),
})

export const patchMember = endpoint('PATCH /members/{id}', {
  scope: 'settings:manage',
  tag,
  recentSignIn: true,
  summary: 'Update a member',
  description:
    "A new role applies starting with the member's next request. An inactive member loses access at once. Only an owner can change an owner or make another member an owner.",
  body: memberRecord.Patch,
  responses: { 200: Member },
  fields: true,
  errors: {
    403: 'The member is an owner, or would become one, but the caller is not an owner.',
    409: '`conflict`: the workspace would have no active owner.',
  },
  handle: async (ctx, { params, body }) => ok(await present(await changeMember(ctx, params.id, body), ctx)),
})
