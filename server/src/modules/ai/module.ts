import type { Module } from '#kernel/module.ts'
import type { AiDependencies } from './ports.ts'

export const ai: Module<AiDependencies> = {}
