import type { Module } from '#kernel/module.ts'
import { apiSessions } from './api-sessions.ts'
import { addMemberCommands } from './commands/member-commands.ts'
import { addPersonCommands } from './commands/person-commands.ts'
import { resealTotpKeys, sweepSignIn } from './jobs.ts'
import { getMe, patchMe } from './me.ts'

export const people: Module = {
  endpoints: [getMe, patchMe],
  sessions: apiSessions,
  periodicJobs: [sweepSignIn, resealTotpKeys],
  commands: (program, cli) => {
    addMemberCommands(program, cli)
    addPersonCommands(program, cli)
  },
}
