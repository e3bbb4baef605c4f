import type { Module } from '#kernel/module.ts'
import { access } from './access/module.ts'
import { automations } from './automations/module.ts'
import { calendar } from './calendar/module.ts'
import { calls } from './calls/module.ts'
import { compliance } from './compliance/module.ts'
import { contacts } from './contacts/module.ts'
import { deals } from './deals/module.ts'
import { deliveries } from './deliveries/module.ts'
import { events } from './events/module.ts'
import { leads } from './leads/module.ts'
import { listings } from './listings/module.ts'
import { mail } from './mail/module.ts'
import { messaging } from './messaging/module.ts'
import { oauth } from './oauth/module.ts'
import { routing } from './routing/module.ts'
import { signin } from './signin/module.ts'
import { timeline } from './timeline/module.ts'
import { webhooks } from './webhooks/module.ts'
import { workspaces } from './workspaces/module.ts'

/** The product. */
export const modules: readonly Module[] = [
  workspaces,
  access,
  signin,
  oauth,
  contacts,
  compliance,
  timeline,
  routing,
  leads,
  messaging,
  calls,
  calendar,
  deals,
  listings,
  automations,
  events,
  mail,
  webhooks,
  deliveries,
]
