import { type Ctx, type Runtime, type Tx, createContext } from '#kernel/context.ts'
import { hashSecret, isWellFormed } from '../access/public.ts'
import {
  LinkIsSpent,
  type PersonRow,
  createPerson,
  hashPassword,
  joinWorkspace,
  requirePassword,
} from '../people/public.ts'
import { admitMember, findMember, mayManage, requireText } from '../workspaces/public.ts'
import { type InvitationRow, findInvitation, markAccepted } from './queries.ts'

/** Returns the invitation that a link belongs to; undefined if it can no longer be accepted. */
export const invitationOf = async (
  { database: { directory }, clock }: Runtime,
  token: string,
): Promise<InvitationRow | undefined> =>
  isWellFormed('gbl_ln_', token) ? findInvitation(directory, hashSecret(token), clock.now()) : undefined

/**
 * Accepts the invitation for an existing person. The caller checks that the invitation is for their address. Throws
 * `LinkIsSpent` if the invitation was accepted in the meantime, or if its sender may no longer invite.
 */
export const acceptInvitation = (runtime: Runtime, invitation: InvitationRow, personId: string) =>
  ctxOf(runtime, invitation).transaction((tx) => accept(tx, invitation, personId))

/**
 * Accepts the invitation for a new person, who chooses a password. Returns the person. Throws `ValidationFailed` and
 * `LinkIsSpent`.
 */
export async function acceptAsNewPerson(
  runtime: Runtime,
  invitation: InvitationRow,
  { name, password }: { name: string; password: string },
): Promise<PersonRow> {
  const { email } = invitation
  requireText('name', name, 120)
  requirePassword(password, email)
  const hash = await hashPassword(password)
  return ctxOf(runtime, invitation).transaction(async (tx) => {
    const person = await createPerson(tx, { name, email, password: hash })
    await accept(tx, { ...invitation, name }, person.id)
    return person
  })
}

async function accept(tx: Tx, invitation: InvitationRow, personId: string): Promise<void> {
  const { id, name, email, role } = invitation
  if (!(await isInviterAllowed(tx, invitation))) throw LinkIsSpent()
  if ((await markAccepted(tx, id, tx.clock.real.now())) === undefined) throw LinkIsSpent()
  await joinWorkspace(tx, personId, await admitMember(tx, { name, email, role }))
}

/** Open invitations are void once their inviter has lost the right to invite. */
async function isInviterAllowed(tx: Tx, { invited_by, role }: InvitationRow): Promise<boolean> {
  if (invited_by === null) return true
  const inviter = await findMember(tx, invited_by)
  return inviter?.active === true && mayManage(inviter.role, role)
}

const ctxOf = (runtime: Runtime, { workspace_id, name }: InvitationRow): Ctx =>
  createContext(runtime, {
    workspaceId: workspace_id,
    actor: { type: 'member', id: null, name },
    scopes: new Set(),
  })
