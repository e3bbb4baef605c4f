import type { Module } from '#kernel/module.ts'
import { getPing } from './endpoints.ts'

export const access: Module = { endpoints: [getPing] }
