import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { reference } from '#kernel/records/fields.ts'
import { findTeam, listTeams } from './team-queries.ts'
import { Team, teamRecord } from './team.ts'
import { addToTeam, createTeam, removeFromTeam, updateTeam } from './teams.ts'

const scope = 'settings:manage'
const tag = 'Teams'
const fields = true

export const getTeams = listEndpoint('GET /teams', {
  scope: 'any',
  tag,
  summary: 'List teams',
  description:
    'Teams group members across offices. A team lead sees the records of the members of their teams.',
  item: Team,
  rows: ({ db }, { page }) => listTeams(db, page.keyset()),
})

export const postTeam = endpoint('POST /teams', {
  scope,
  tag,
  fields,
  summary: 'Create a team',
  description: 'Add members afterwards, with `POST /teams/{id}/members`.',
  body: teamRecord.Draft,
  responses: { 201: Team },
  handle: async (ctx, { body }) => created(await createTeam(ctx, body)),
})

export const getTeam = endpoint('GET /teams/{id}', {
  scope: 'any',
  tag,
  fields,
  summary: 'Retrieve a team',
  description: 'The team with the IDs of its members.',
  responses: { 200: Team },
  handle: async ({ db }, { params }) => ok(orNotFound(await findTeam(db, params.id))),
})

export const patchTeam = endpoint('PATCH /teams/{id}', {
  scope,
  tag,
  fields,
  summary: 'Update a team',
  description: 'Changes the name. Members are added and removed under `/teams/{id}/members`.',
  body: teamRecord.Patch,
  responses: { 200: Team },
  handle: async (ctx, { params, body }) => ok(await updateTeam(ctx, params.id, body)),
})

export const postTeamMember = endpoint('POST /teams/{id}/members', {
  scope,
  tag,
  fields,
  recentSignIn: true,
  summary: 'Add a member to a team',
  description:
    'A team lead sees the records of all members of their teams. Adding a member twice changes nothing.',
  body: Type.Object(
    { member_id: reference('member', 'The member to add.') },
    {
      title: 'TeamMemberDraft',
      additionalProperties: false,
      examples: [{ member_id: 'cmi8h2k5p0000y7w2d5g8j1m4' }],
    },
  ),
  responses: { 200: Team },
  handle: async (ctx, { params, body }) => ok(await addToTeam(ctx, params.id, body.member_id)),
})

export const deleteTeamMember = endpoint('DELETE /teams/{id}/members/{member_id}', {
  scope,
  tag,
  fields,
  recentSignIn: true,
  summary: 'Remove a member from a team',
  description: 'The response is the team without the member.',
  responses: { 200: Team },
  handle: async (ctx, { params }) => ok(await removeFromTeam(ctx, params.id, params.member_id)),
})
