import type { Module } from '#kernel/module.ts'
import * as endpoints from './endpoints.ts'

export const events: Module = { tag: 'Events', endpoints: Object.values(endpoints) }
