import type { Module } from '#kernel/module.ts'
import type { MailDependencies } from '../mail/public.ts'
import { settingsRoutes } from './routes.ts'

export const settings: Module<MailDependencies> = {
  routes: ({ runtime, sendMail }) => settingsRoutes(runtime, { sendsMail: sendMail !== undefined }),
}
