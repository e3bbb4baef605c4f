import type { Module } from '#kernel/module.ts'
import { AutomationRun } from './events.ts'

export const automations: Module = {
  events: [AutomationRun],
}
