import type { Module } from '#kernel/module.ts'
import type { CallDependencies } from '../calls/public.ts'
import type { MailDependencies } from '../mail/public.ts'
import { settingsRoutes } from './routes.ts'

export const settings: Module<MailDependencies & CallDependencies> = {
  routes: ({ runtime, sendMail, voice }) =>
    settingsRoutes(runtime, { sendsMail: sendMail !== undefined, voice }),
}
