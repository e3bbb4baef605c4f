import type { Module } from '#kernel/module.ts'
import { apiSessions } from './api-sessions.ts'
import { addMemberCommand } from './commands/create-member-command.ts'
import { addPeopleCommands } from './commands/people-commands.ts'
import { resealTotpKeys, sweepSignIn } from './jobs.ts'
import { getMe, patchMe } from './me.ts'

export const people: Module = {
  endpoints: [getMe, patchMe],
  sessions: apiSessions,
  periodicJobs: [sweepSignIn, resealTotpKeys],
  commands: (program, cli) => {
    addMemberCommand(program, cli)
    addPeopleCommands(program, cli)
  },
}
