import type { Module } from '#kernel/module.ts'
import { mailRoutes, catcherPath } from './catcher-routes.ts'
import { mailJobs, tendMails } from './jobs.ts'
import type { MailDependencies } from './ports.ts'

export const mail: Module<MailDependencies> = {
  routes: ({ runtime, origin, showsCaughtMail }) => (showsCaughtMail ? mailRoutes(runtime, { origin }) : []),
  jobs: ({ runtime, origin, sendMail, showsCaughtMail, onCaught }) =>
    mailJobs({
      sendMail,
      origin,
      catcherUrl: () => (showsCaughtMail ? origin() + catcherPath(runtime.keys) : undefined),
      onCaught,
    }),
  periodicJobs: [tendMails],
}
