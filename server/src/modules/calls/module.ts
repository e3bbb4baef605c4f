import type { Module } from '#kernel/module.ts'
import { CallCompleted } from './events.ts'

export const calls: Module = {
  events: [CallCompleted],
}
