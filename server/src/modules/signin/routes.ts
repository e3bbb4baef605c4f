import type { House } from '#kernel/context.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { accountSecondStepRoutes } from './account-second-step-page.ts'
import { confirmRoutes } from './confirm-page.ts'
import { doneRoutes } from './done-page.ts'
import { invitationRoutes } from './invitation-page.ts'
import { resetRoutes } from './reset-pages.ts'
import { secondStepRoutes } from './second-step-page.ts'
import { signInRoutes } from './sign-in-page.ts'

/** The pages by which people come in. `origin`: the address that others reach this server under. */
export const signinRoutes = (house: House, origin: () => string): PlainRoute[] => [
  ...signInRoutes(house),
  ...secondStepRoutes(house),
  ...doneRoutes(house),
  ...confirmRoutes(house),
  ...resetRoutes(house, origin),
  ...invitationRoutes(house),
  ...accountSecondStepRoutes(house),
]
