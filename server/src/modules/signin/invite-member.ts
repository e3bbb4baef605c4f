import type { Ctx, Tx } from '#kernel/context.ts'
import { violates } from '#kernel/db/faults.ts'
import { ValidationFailed, defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { emailPattern } from '#kernel/schemas.ts'
import { hashSecret, newSecret } from '../access/public.ts'
import { queueMail } from '../mail/public.ts'
import { type Role, findWorkspace, lockMemberByEmail, requireText, roles } from '../workspaces/public.ts'
import { MemberWasInvited } from './events.ts'
import { invitationMs, later } from './lifetimes.ts'
import { type InvitationRow, countInvitations, insertInvitation, revokeInvitationOf } from './link-queries.ts'
import { findMembershipOf } from './people-queries.ts'

const InvitedJustNow = defineError('conflict', 409, (email: string) => ({
  message: `Somebody else has invited ${email} just now.`,
}))

const SignsInAlready = defineError('conflict', 409, (email: string) => ({
  message: `${email} is a member who can sign in already.`,
}))

const TooManyInvitations = defineError('rate_limited', 429, () => ({
  message:
    'So many invitations have been sent within a day that this looks like an accident. Try again tomorrow.',
}))

/** Within a day, of members' own: the mails go to whatever address they name. */
const limits = { workspace: 300, address: 5 }
const dayMs = 24 * 60 * 60 * 1000

export interface NewInvitation {
  /** 1 to 120 characters. */
  name: string
  email: string
  role: Role
}

/**
 * Invites somebody into the workspace of `ctx` by a mail with a link, which works for seven days and once. Whoever is a
 * member there already and cannot sign in yet is invited to that. `origin`: where this server is reached. The link is in
 * the answer for an operator; no member gets to see it, since it lets in whoever has it. 409 for whoever can sign in
 * there, 429 where members have sent very many.
 */
export async function inviteMember(
  ctx: Ctx,
  { name, email, role }: NewInvitation,
  origin: string,
): Promise<{ invitation: InvitationRow; link: string }> {
  requireText('name', name, 120)
  if (email.length > 254 || !new RegExp(emailPattern).test(email))
    throw ValidationFailed([{ path: 'email', message: 'must be a valid email' }])
  if (!roles.includes(role))
    throw ValidationFailed([{ path: 'role', message: `must be one of ${roles.join(', ')}` }])
  const now = ctx.clock.now()
  const secret = newSecret('gbl_ln_')
  const link = `${origin}/invitation?token=${secret}`
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
      subject: `An invitation to ${where}`,
      text: [
        `${ctx.actor.name} invites you to work in ${where} on Gable.`,
        `This link works for seven days, and once:\n${link}`,
        'If you did not expect this, leave it alone: nothing happens without you.',
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
