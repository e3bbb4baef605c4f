import type { Module } from '#kernel/module.ts'
import { getContactEvidence } from './endpoints.ts'

export const evidence: Module = {
  tag: 'Compliance',
  endpoints: [getContactEvidence],
}
