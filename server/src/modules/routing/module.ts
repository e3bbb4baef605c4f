import type { Module } from '#kernel/module.ts'

/** Rules and the decision by them. Leads asks it; its tables are its own. */
export const routing: Module = {}
