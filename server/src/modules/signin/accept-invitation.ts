import { type Ctx, type House, type Tx, createContext } from '#kernel/context.ts'
import { violates } from '#kernel/db/faults.ts'
import { defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { hashSecret, isWellFormed } from '../access/public.ts'
import { type MemberRow, admitMember, findMember, mayManage, requireText } from '../workspaces/public.ts'
import { MemberHasJoined } from './events.ts'
import { type InvitationRow, findInvitation, markAccepted } from './link-queries.ts'
import { hashPassword, requirePassword } from './password.ts'
import { type PersonRow, insertMembership, insertPerson } from './people-queries.ts'

export const LinkIsSpent = defineError('not_found', 404, () => ({
  message: 'This link has been used, has been taken back, or is too old. Ask for a new one.',
}))

const PersonExists = defineError('conflict', 409, (email: string) => ({
  message: `Somebody signs in as ${email} already. Sign in first, then open the link again.`,
}))

/** The invitation that a link stands for; undefined for one that cannot be accepted any more. */
export const invitationOf = async (
  { database: { directory }, clock }: House,
  token: string,
): Promise<InvitationRow | undefined> =>
  isWellFormed('gbl_ln_', token) ? findInvitation(directory, hashSecret(token), clock.now()) : undefined

/**
 * Somebody who has signed in before accepts; they must be who was invited, which the caller sees to. Throws LinkIsSpent
 * for an invitation that another has accepted meanwhile, or whose sender may not invite any more.
 */
export const acceptInvitation = (house: House, invitation: InvitationRow, personId: string) =>
  ctxOf(house, invitation).transaction((tx) => join(tx, invitation, personId))

/** Somebody new accepts, with the password by which they will sign in. Answers the person that they are now. */
export async function acceptAsNewPerson(
  house: House,
  invitation: InvitationRow,
  { name, password }: { name: string; password: string },
): Promise<PersonRow> {
  const { email } = invitation
  requireText('name', name, 120)
  requirePassword(password, email)
  const hash = await hashPassword(password)
  const now = house.clock.now()
  const at = now.toISOString()
  const id = newId(now)
  const person = { id, name, email, password: hash, totp_confirmed_at: null, created_at: at, updated_at: at }
  try {
    await ctxOf(house, invitation).transaction(async (tx) => {
      await insertPerson(tx, person)
      await join(tx, { ...invitation, name }, id)
    })
  } catch (error) {
    if (violates(error, 'people_email')) throw PersonExists(email)
    throw error
  }
  return person
}

async function join(tx: Tx, invitation: InvitationRow, personId: string): Promise<MemberRow> {
  const { id, name, email, role } = invitation
  const now = tx.clock.now()
  if (!(await isStillMeant(tx, invitation))) throw LinkIsSpent()
  if ((await markAccepted(tx, id, now)) === undefined) throw LinkIsSpent()
  const member = await admitMember(tx, { name, email, role })
  await insertMembership(tx, personId, member.id, now)
  await tx.emit(MemberHasJoined, { id: member.id, role: member.role })
  return member
}

/** Whether whoever invited may do so still: what they cannot do any more, their invitations cannot either. */
async function isStillMeant(tx: Tx, { invited_by, role }: InvitationRow): Promise<boolean> {
  if (invited_by === null) return true
  const inviter = await findMember(tx, invited_by)
  return inviter?.active === true && mayManage(inviter.role, role)
}

const ctxOf = (house: House, { workspace_id, name }: InvitationRow): Ctx =>
  createContext(house, {
    workspaceId: workspace_id,
    actor: { type: 'member', id: null, name },
    scopes: new Set(),
  })
