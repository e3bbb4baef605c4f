import type { Module } from '#kernel/module.ts'
import { MemberRoleChanged, MemberWasActivated, MemberWasDeactivated } from './events.ts'
import { sweepIdempotencyReplies } from './jobs.ts'

export const workspaces: Module = {
  events: [MemberWasActivated, MemberWasDeactivated, MemberRoleChanged],
  periodicJobs: [sweepIdempotencyReplies],
}
