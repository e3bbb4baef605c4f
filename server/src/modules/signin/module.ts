import { on } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { MemberWasDeactivated, findMember } from '../workspaces/public.ts'
import { InvitationWasRevoked, MemberHasJoined, MemberWasInvited } from './events.ts'
import { sealTotpKeysAnew, sweepSignIn } from './jobs.ts'
import { revokeInvitationOf } from './link-queries.ts'

export const signin: Module = {
  events: [MemberWasInvited, InvitationWasRevoked, MemberHasJoined],
  subscriptions: [
    // Or whoever was removed would let themselves in again.
    on(MemberWasDeactivated, async (tx, { id }) => {
      const member = await findMember(tx, id)
      if (member !== undefined) await revokeInvitationOf(tx, member.email, tx.clock.now())
    }),
  ],
  periodicJobs: [sweepSignIn, sealTotpKeysAnew],
}
