import type { Module } from '#kernel/module.ts'
import { MessageReceived, MessageSent } from './events.ts'

export const messaging: Module = {
  events: [MessageReceived, MessageSent],
}
