import type { Module } from '#kernel/module.ts'
import { assetRoutes } from './assets.ts'

export const pages: Module = { routes: assetRoutes }
