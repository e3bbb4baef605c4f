import type { Module } from '#kernel/module.ts'
import { DealStageChanged, DocumentSigned } from './events.ts'

export const deals: Module = {
  events: [DealStageChanged, DocumentSigned],
}
