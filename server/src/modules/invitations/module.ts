import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { MemberWasDeactivated, findMember } from '../workspaces/public.ts'
import * as endpoints from './endpoints.ts'
import { InvitationWasRevoked, MemberWasInvited } from './events.ts'
import { invitationRoutes } from './invitation-page.ts'
import { sweepInvitations } from './jobs.ts'
import { revokeInvitationOf } from './queries.ts'

export const invitations: Module = {
  tag: 'Invitations',
  endpoints: Object.values(endpoints),
  events: [MemberWasInvited, InvitationWasRevoked],
  subscriptions: [
    // A deactivated member must not accept an open invitation and return.
    on(MemberWasDeactivated, async (tx, { id }) => {
      const member = await findMember(tx, id)
      if (member !== undefined) await revokeInvitationOf(tx, member.email, tx.clock.real.now())
    }),
  ],
  routes: ({ runtime }) => invitationRoutes(runtime),
  periodicJobs: [sweepInvitations],
}
