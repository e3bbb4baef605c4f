import type { Module } from '#kernel/module.ts'
import { InvitationWasRevoked, MemberHasJoined, MemberWasInvited } from './events.ts'
import { sealTotpKeysAnew, sweepSignIn } from './jobs.ts'

export const signin: Module = {
  events: [MemberWasInvited, InvitationWasRevoked, MemberHasJoined],
  periodicJobs: [sweepSignIn, sealTotpKeysAnew],
}
