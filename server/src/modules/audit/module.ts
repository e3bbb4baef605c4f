import type { Module } from '#kernel/module.ts'
import * as endpoints from './endpoints.ts'

export const audit: Module = { tag: 'Audit log', endpoints: Object.values(endpoints) }
