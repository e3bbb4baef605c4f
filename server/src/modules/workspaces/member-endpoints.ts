import { orNotFound } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { changeMember } from './change-member.ts'
import { memberFilters, memberRecord } from './member.ts'
import { findMember, listMembersPage } from './queries.ts'

const scope = 'settings:manage'
const tag = 'Members'

export const getMembers = listEndpoint('GET /members', {
  scope,
  tag,
  summary: 'List members',
  description: 'Newest first, including inactive members. To add members, invite people.',
  item: memberRecord.Record,
  filters: memberFilters,
  rows: ({ db }, { query, page }) => listMembersPage(db, query, page),
})

export const getMemberCount = countEndpoint(getMembers)

export const getMember = endpoint('GET /members/{id}', {
  scope,
  tag,
  summary: 'Retrieve a member',
  description:
    'Members who have left the workspace are included, with `active` set to false, because records still refer to them.',
  responses: { 200: memberRecord.Record },
  handle: async ({ db }, { params }) => ok(orNotFound(await findMember(db, params.id))),
})

export const patchMember = endpoint('PATCH /members/{id}', {
  scope,
  tag,
  recentSignIn: true,
  summary: 'Update a member',
  description:
    "A new role applies starting with the member's next request. An inactive member loses access at once. Only an owner can change an owner or make another member an owner.",
  body: memberRecord.Patch,
  responses: { 200: memberRecord.Record },
  errors: {
    403: 'The member is an owner, or would become one, but the caller is not an owner.',
    409: '`conflict`: the workspace would have no active owner.',
  },
  handle: async (ctx, { params, body }) => ok(await changeMember(ctx, params.id, body)),
})
