import type { Runtime } from '#kernel/context.ts'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { notFoundUnder } from '../account/public.ts'
import type { CallDependencies } from '../calls/public.ts'
import { appListRoutes } from './app-list-pages.ts'
import { appRoutes } from './app-pages.ts'
import { chooserRoutes } from './chooser-page.ts'
import { complianceRoutes } from './compliance-page.ts'
import { connectionRoutes } from './connection-pages.ts'
import { deliveryRoutes } from './deliveries/delivery-pages.ts'
import { inviteRoutes } from './invite-pages.ts'
import { keyRoutes } from './key-pages.ts'
import { type SettingsOptions, memberListRoutes } from './member-list-page.ts'
import { memberRoutes } from './member-pages.ts'
import { signatureKind, voiceKind } from './providers/provider-kinds.ts'
import { providerRoutes } from './providers/provider-pages.ts'
import { senderRoutes } from './sender-pages.ts'
import { webhookListRoutes } from './webhook-list-pages.ts'
import { webhookRoutes } from './webhook-pages.ts'
import { workspaceRoutes } from './workspace-page.ts'

/** The pages under `/settings`. */
export const settingsRoutes = (
  runtime: Runtime,
  options: SettingsOptions & Pick<CallDependencies, 'voice'>,
): PlainRoute[] => [
  ...chooserRoutes(runtime),
  ...keyRoutes(runtime),
  ...appListRoutes(runtime),
  ...appRoutes(runtime),
  ...connectionRoutes(runtime),
  ...webhookListRoutes(runtime),
  ...webhookRoutes(runtime),
  ...deliveryRoutes(runtime),
  ...senderRoutes(runtime),
  ...providerRoutes(runtime, signatureKind),
  ...providerRoutes(runtime, voiceKind(options)),
  ...memberListRoutes(runtime, options),
  ...inviteRoutes(runtime, options),
  ...memberRoutes(runtime),
  ...workspaceRoutes(runtime),
  ...complianceRoutes(runtime),
  notFoundUnder(runtime, '/settings'),
]
