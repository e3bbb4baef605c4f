import type { Module } from '#kernel/module.ts'
import { apiKeys } from './api-key-credentials.ts'
import * as endpoints from './endpoints.ts'
import { ApiKeyCreated, ApiKeyRevoked } from './events.ts'
import * as keyEndpoints from './key-endpoints.ts'

export const access: Module = {
  tag: 'Meta',
  endpoints: [...Object.values(endpoints), ...Object.values(keyEndpoints)],
  credentials: [apiKeys],
  events: [ApiKeyCreated, ApiKeyRevoked],
}
