import type { House } from '#kernel/context.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { appListRoutes } from './app-list-pages.ts'
import { appRoutes } from './app-pages.ts'
import { chooserRoutes } from './chooser-page.ts'
import { connectionRoutes } from './connection-pages.ts'
import { keyRoutes } from './key-pages.ts'

/** The pages on which owners and admins look after their workspaces. */
export const settingsRoutes = (house: House): PlainRoute[] => [
  ...chooserRoutes(house),
  ...keyRoutes(house),
  ...appListRoutes(house),
  ...appRoutes(house),
  ...connectionRoutes(house),
]
