import type { House } from '#kernel/context.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { appListRoutes } from './app-list-pages.ts'
import { appRoutes } from './app-pages.ts'
import { chooserRoutes } from './chooser-page.ts'
import { connectionRoutes } from './connection-pages.ts'
import { deliveryRoutes } from './delivery-pages.ts'
import { inviteRoutes } from './invite-pages.ts'
import { keyRoutes } from './key-pages.ts'
import { type SettingsOptions, memberListRoutes } from './member-list-page.ts'
import { memberRoutes } from './member-pages.ts'
import { webhookListRoutes } from './webhook-list-pages.ts'
import { webhookRoutes } from './webhook-pages.ts'

/** The pages on which owners and admins look after their workspaces. */
export const settingsRoutes = (house: House, options: SettingsOptions): PlainRoute[] => [
  ...chooserRoutes(house),
  ...keyRoutes(house),
  ...appListRoutes(house),
  ...appRoutes(house),
  ...connectionRoutes(house),
  ...webhookListRoutes(house),
  ...webhookRoutes(house),
  ...deliveryRoutes(house),
  ...memberListRoutes(house, options),
  ...inviteRoutes(house, options),
  ...memberRoutes(house),
]
