import type { Module } from '#kernel/module.ts'

/** Finds what an AI must not say. A library: other modules scan their texts with it. */
export const content: Module = {}
