import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { WorkspaceCreated } from '../workspaces/public.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import { insertRecipes } from './recipes/recipes.ts'

export const automations: Module = {
  tag: 'Automations',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
  subscriptions: [on(WorkspaceCreated, (tx) => insertRecipes(tx))],
}
