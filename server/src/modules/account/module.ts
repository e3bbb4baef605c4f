import type { Module } from '#kernel/module.ts'
import { overviewRoutes } from './account-page.ts'
import { confirmRoutes } from './confirm-page.ts'
import { notFoundUnder } from './guards.ts'
import { passkeyRoutes } from './passkeys-page.ts'
import { passwordRoutes } from './password-page.ts'
import { resetRoutes } from './reset-pages.ts'
import { secondStepRoutes } from './second-step-page.ts'
import { signInCodeRoutes } from './sign-in-code-page.ts'
import { signInRoutes } from './sign-in-page.ts'

/** The pages under `/sign-in` and `/account`. */
export const account: Module = {
  routes: ({ runtime }) => [
    ...signInRoutes(runtime),
    ...signInCodeRoutes(runtime),
    ...confirmRoutes(runtime),
    ...resetRoutes(runtime),
    ...overviewRoutes(runtime),
    ...passwordRoutes(runtime),
    ...passkeyRoutes(runtime),
    ...secondStepRoutes(runtime),
    ...['/sign-in', '/account'].map((path) => notFoundUnder(runtime, path)),
  ],
}
