import type { Module } from '#kernel/module.ts'
import { InvitationWasRevoked, MemberHasJoined, MemberWasInvited } from './events.ts'
import { sweepSignIn } from './jobs.ts'

export const signin: Module = {
  events: [MemberWasInvited, InvitationWasRevoked, MemberHasJoined],
  periodicJobs: [sweepSignIn],
}
