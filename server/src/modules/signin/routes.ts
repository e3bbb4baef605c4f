import type { House } from '#kernel/context.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { accountRoutes } from './account-page.ts'
import { accountPasskeyRoutes } from './account-passkeys-page.ts'
import { accountPasswordRoutes } from './account-password-page.ts'
import { accountSecondStepRoutes } from './account-second-step-page.ts'
import { confirmRoutes } from './confirm-page.ts'
import { doneRoutes } from './done-page.ts'
import { invitationRoutes } from './invitation-page.ts'
import { resetRoutes } from './reset-pages.ts'
import { secondStepRoutes } from './second-step-page.ts'
import { signInRoutes } from './sign-in-page.ts'

/** The pages by which people come in, and look after how they do. `origin`: the address that others reach this server under. */
export const signinRoutes = (house: House, origin: () => string): PlainRoute[] => [
  ...signInRoutes(house, origin),
  ...secondStepRoutes(house),
  ...doneRoutes(house),
  ...confirmRoutes(house, origin),
  ...resetRoutes(house, origin),
  ...invitationRoutes(house),
  ...accountRoutes(house),
  ...accountPasswordRoutes(house),
  ...accountPasskeyRoutes(house, origin),
  ...accountSecondStepRoutes(house),
]
