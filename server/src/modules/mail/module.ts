import type { Module } from '#kernel/module.ts'
import { mailRoutes, catcherPath } from './catcher-routes.ts'
import { mailJobs, maintainMails } from './jobs.ts'
import { outgoingMails } from './outgoing.ts'
import type { MailDependencies } from './ports.ts'

export const mail: Module<MailDependencies> = {
  routes: ({ runtime, showsCaughtMail }) => (showsCaughtMail ? mailRoutes(runtime) : []),
  jobs: ({ runtime, sendMail, showsCaughtMail, onCaught }) =>
    mailJobs({
      sendMail,
      catcherUrl: () => (showsCaughtMail ? runtime.origin() + catcherPath(runtime.keys) : undefined),
      onCaught,
    }),
  periodicJobs: [maintainMails],
  outgoing: [outgoingMails],
}
