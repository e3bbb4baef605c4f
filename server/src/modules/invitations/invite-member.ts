import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { violates } from '#kernel/db/errors.ts'
import { ValidationFailed, defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { emailPattern } from '#kernel/schemas.ts'
import { hashSecret, newSecret } from '../access/public.ts'
import { queueMail } from '../mail/public.ts'
import { findMembershipOf } from '../people/public.ts'
import { type Role, findWorkspace, lockMemberByEmail, requireText, roles } from '../workspaces/public.ts'
import { MemberWasInvited } from './events.ts'
import { type InvitationRow, countInvitations, insertInvitation, revokeInvitationOf } from './queries.ts'

const InvitedJustNow = defineError('conflict', 409, (email: string) => ({
  message: `${email} was just invited by another request.`,
}))

const SignsInAlready = defineError('conflict', 409, (email: string) => ({
  message: `${email} is already a member who can sign in.`,
}))

const TooManyInvitations = defineError('rate_limited', 429, () => ({
  message: 'This workspace has sent too many invitations within a day. Try again tomorrow.',
}))

/** Limits per day for members, since the mails go to any address that they enter. */
const limits = { workspace: 300, address: 5 }
const dayMs = 24 * 60 * 60_000

/** An invitation can be accepted for this long. */
const invitationMs = 7 * dayMs

export interface NewInvitation {
  /** 1 to 120 characters. */
  name: string
  email: string
  role: Role
}

/**
 * Invites a person to the workspace by a mail with a link that works once, for seven days. An existing member who cannot
 * sign in yet is invited to do so. Returns the link for operators; members never see it, because it lets anyone in. 409 for
 * a member who can sign in, 429 above the daily limits.
 */
export async function inviteMember(
  ctx: Ctx,
  { name, email, role }: NewInvitation,
): Promise<{ invitation: InvitationRow; link: string }> {
  requireText('name', name, 120)
  if (email.length > 254 || !new RegExp(emailPattern).test(email))
    throw ValidationFailed([{ path: 'email', message: 'must be a valid email' }])
  if (!roles.includes(role))
    throw ValidationFailed([{ path: 'role', message: `must be one of ${roles.join(', ')}` }])
  const now = ctx.clock.now()
  const secret = newSecret('gbl_ln_')
  const link = `${ctx.origin()}/invitation?token=${secret}`
  const invitation: InvitationRow = {
    id: newId(now),
    workspace_id: ctx.workspaceId,
    name,
    email,
    role,
    invited_by: ctx.actor.type === 'member' ? ctx.actor.id : null,
    expires_at: later(now, invitationMs).toISOString(),
    accepted_at: null,
    revoked_at: null,
    created_at: now.toISOString(),
  }
  const workspace = await findWorkspace(ctx.directory, ctx.workspaceId)
  const where = workspace?.name ?? 'a workspace'
  const invite = async (tx: Tx) => {
    await requireRoom(tx, email, now)
    const known = await lockMemberByEmail(tx, email)
    if (known?.active === true && (await findMembershipOf(tx, known.id)) !== undefined)
      throw SignsInAlready(email)
    await revokeInvitationOf(tx, email, now)
    await insertInvitation(tx, invitation, hashSecret(secret))
    queueMail(tx, ctx, {
      to: email,
      subject: `Join ${where} on Gable`,
      text: [
        `${ctx.actor.name} invited you to join ${where} on Gable.`,
        `To accept, open this link. It works once, for seven days:\n${link}`,
        'If you did not expect this invitation, you can ignore this email.',
      ].join('\n\n'),
    })
    await tx.emit(MemberWasInvited, { id: invitation.id, role })
  }
  try {
    await ctx.transaction(invite)
  } catch (error) {
    if (violates(error, 'invitations_open')) throw InvitedJustNow(email)
    throw error
  }
  return { invitation, link }
}

async function requireRoom(tx: Tx, email: string, now: Date): Promise<void> {
  if (tx.actor.type !== 'member') return
  const { all, theirs } = await countInvitations(tx, email, later(now, -dayMs))
  if (all >= limits.workspace || theirs >= limits.address) throw TooManyInvitations()
}
