import type { Module } from '#kernel/module.ts'

export const installation: Module = {}
