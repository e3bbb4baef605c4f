import { type Static, Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Email, Timestamp, nullable } from '#kernel/schemas.ts'
import { Line, roles } from '../workspaces/public.ts'
import { inviteMember } from './invite-member.ts'
import { type InvitationRow, findOpenInvitation, listInvitations } from './queries.ts'
import { revokeInvitation } from './revoke-invitation.ts'

const scope = 'settings:manage'
const fields = true

const draft = { name: 'Ada Reyes', email: 'ada@lakeside.example', role: 'agent' as const }
const details = { name: Line, email: Email, role: Type.Enum(roles) }

const InvitationDraft = Type.Object(details, {
  title: 'InvitationDraft',
  additionalProperties: false,
  examples: [draft],
})

const Invitation = Type.Object(
  {
    id: Type.String(),
    ...details,
    invited_by: nullable(
      Type.String({ description: 'The member who sent the invitation. Null for the operator.' }),
    ),
    expires_at: Timestamp,
    created_at: Timestamp,
  },
  {
    title: 'Invitation',
    examples: [
      {
        id: 'cmi8hb7w40007m2n6c8v0b3x5',
        ...draft,
        invited_by: 'cmi8h2k5p0000y7w2d5g8j1m4',
        expires_at: '2026-11-27T20:11:04.817Z',
        created_at: '2026-11-20T20:11:04.817Z',
      },
    ],
  },
)

const present = ({
  workspace_id: _,
  accepted_at: __,
  revoked_at: ___,
  ...row
}: InvitationRow): Static<typeof Invitation> => row

export const getInvitations = listEndpoint('GET /invitations', {
  scope,
  summary: 'List open invitations',
  description: 'Newest first. Omits invitations that were accepted or revoked or have expired.',
  item: Invitation,
  rows: ({ directory, workspaceId, clock }, { page }) =>
    listInvitations(directory, workspaceId, clock.real.now(), page),
  present,
})

export const postInvitation = endpoint('POST /invitations', {
  scope,
  fields,
  recentSignIn: true,
  summary: 'Invite a member',
  description:
    'Gable emails the person a link that works once, for seven days. It replaces an open invitation of the same address. A member who cannot sign in yet keeps their role. Only an owner can invite owners.',
  body: InvitationDraft,
  responses: { 201: Invitation },
  errors: {
    403: 'The invitation would make an owner, but the caller is not an owner.',
    409: '`conflict`: the address belongs to a member who can sign in.',
    429: '`rate_limited`: an address gets 10 invitations a day, a workspace sends 300.',
  },
  handle: async (ctx, { body }) => created(present((await inviteMember(ctx, body)).invitation)),
})

export const getInvitation = endpoint('GET /invitations/{id}', {
  scope,
  fields,
  summary: 'Retrieve an open invitation',
  description: 'Invitations that were accepted, withdrawn, or have expired are a 404.',
  responses: { 200: Invitation },
  handle: async ({ directory, workspaceId, clock }, { params }) =>
    ok(present(orNotFound(await findOpenInvitation(directory, workspaceId, params.id, clock.real.now())))),
})

export const deleteInvitation = endpoint('DELETE /invitations/{id}', {
  scope,
  recentSignIn: true,
  summary: 'Revoke an invitation',
  description: 'Its link stops working. Only an owner can revoke the invitation of an owner.',
  responses: { 200: Type.Object({ id: Type.String(), deleted: Type.Boolean() }, { title: 'Removal' }) },
  handle: async (ctx, { params }) => {
    await revokeInvitation(ctx, params.id)
    return ok({ id: params.id, deleted: true })
  },
})
