import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { lock } from '#kernel/db/lock.ts'
import { ValidationFailed, defineError } from '#kernel/errors.ts'
import { notOneOf } from '#kernel/http/validation.ts'
import { newId } from '#kernel/ids.ts'
import { isEmail } from '#kernel/schemas.ts'
import { hashSecret, newSecret } from '../access/public.ts'
import { queueMail } from '../mail/public.ts'
import { findMembershipOf } from '../people/public.ts'
import {
  type Role,
  findWorkspace,
  lockMemberByEmail,
  mayManage,
  requireText,
  roleOfActor,
  roles,
} from '../workspaces/public.ts'
import { MemberWasInvited } from './events.ts'
import {
  type InvitationRow,
  countInvitations,
  findInvitationOf,
  insertInvitation,
  revokeInvitationOf,
} from './queries.ts'

export const OwnersInvitation = defineError('forbidden', 403, () => ({
  message: 'Only owners can manage invitations of owners.',
}))

const SignsInAlready = defineError('conflict', 409, (email: string) => ({
  message: `${email} is already a member who can sign in.`,
}))

const dayMs = 24 * 60 * 60_000

const TooManyInvitations = defineError('rate_limited', 429, () => ({
  message: 'This workspace has sent too many invitations within a day. Try again tomorrow.',
  headers: { 'retry-after': String(dayMs / 1000) },
}))

/** Daily limits for members, because the mails go to any address that they enter. */
const limits = { workspace: 300, address: 10 }

/** An invitation can be accepted for this long. */
const invitationMs = 7 * dayMs

export interface NewInvitation {
  /** 1 to 120 characters. */
  name: string
  email: string
  role: Role
}

/**
 * Invites a person to the workspace by an email with a link that works once, for seven days. An existing member who
 * cannot sign in yet is invited to do so and keeps their role. Replaces an open invitation of the address. Returns the
 * link for operators; members never see it, because anyone who has it can join. Only owners can invite owners. Throws a
 * 409 conflict for a member who can already sign in, and 429 above the daily limits.
 */
export async function inviteMember(
  ctx: Ctx,
  { name, email, role }: NewInvitation,
): Promise<{ invitation: InvitationRow; link: string }> {
  requireText('name', name, 120)
  if (!isEmail(email)) throw ValidationFailed([{ path: 'email', message: 'must be a valid email' }])
  if (!roles.includes(role)) throw ValidationFailed([{ path: 'role', message: notOneOf(role, roles) }])
  const now = ctx.clock.real.now()
  const secret = newSecret('gbl_ln_')
  const link = `${ctx.origin()}/invitation?token=${secret}`
  const workspace = await findWorkspace(ctx.directory, ctx.workspaceId)
  const where = workspace?.name ?? 'a workspace'
  const invitation = await ctx.transaction(async (tx) => {
    // Serialized, because an address has at most one open invitation.
    lock(tx, 'invitations')
    await requireRoom(tx, email, now)
    const row: InvitationRow = {
      id: newId(now),
      workspace_id: ctx.workspaceId,
      name,
      email,
      role: await roleFor(tx, email, role),
      invited_by: ctx.actor.type === 'member' ? ctx.actor.id : null,
      expires_at: later(now, invitationMs).toISOString(),
      accepted_at: null,
      revoked_at: null,
      created_at: now.toISOString(),
    }
    await revokeInvitationOf(tx, email, now)
    await insertInvitation(tx, row, hashSecret(secret))
    queueMail(tx, ctx, {
      to: email,
      subject: `Join ${where} on Gable`,
      text: [
        `${ctx.actor.name} invited you to join ${where} on Gable.`,
        `To accept, open this link. It works once, for seven days:\n${link}`,
        'If you did not expect this invitation, you can ignore this email.',
      ].join('\n\n'),
    })
    await tx.emit(MemberWasInvited, { id: row.id, role: row.role })
    return row
  })
  return { invitation, link }
}

/** The role that the person will have. An active member who cannot sign in yet keeps their role. */
async function roleFor(tx: Tx, email: string, role: Role): Promise<Role> {
  const by = await roleOfActor(tx)
  if (!mayManage(by, role)) throw OwnersInvitation()
  const known = await lockMemberByEmail(tx, email)
  const open = await findInvitationOf(tx, email)
  if ([known, open].some((one) => one !== undefined && !mayManage(by, one.role)))
    throw ValidationFailed([{ path: 'email', message: 'belongs to an owner; only owners can invite owners' }])
  if (known?.active !== true) return role
  if ((await findMembershipOf(tx, known.id)) !== undefined) throw SignsInAlready(email)
  return known.role
}

async function requireRoom(tx: Tx, email: string, now: Date): Promise<void> {
  if (tx.actor.type !== 'member') return
  const { all, to_address } = await countInvitations(tx, email, later(now, -dayMs))
  if (all >= limits.workspace || to_address >= limits.address) throw TooManyInvitations()
}
