import type { Module } from '#kernel/module.ts'
import { getEventTypes, getEvents } from './endpoints.ts'

export const events: Module = { endpoints: [getEventTypes, getEvents] }
