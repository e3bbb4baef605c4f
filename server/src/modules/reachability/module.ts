import type { Module } from '#kernel/module.ts'
import { getContactReachability } from './endpoints.ts'

export const reachability: Module = {
  tag: 'Contacts',
  endpoints: [getContactReachability],
}
