import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { expanded } from '../access/public.ts'
import { GrantNarrowed, GrantResumed, GrantRevoked, GrantSuspended } from '../oauth/public.ts'
import * as endpoints from './endpoints.ts'
import {
  WebhookCreated,
  WebhookDisabled,
  WebhookSecretRotated,
  WebhookUpdated,
  WebhookWasRemoved,
} from './events.ts'
import { maintainWebhookSecrets } from './jobs.ts'
import { narrowWithApp, pauseWithApp, resumeWithApp } from './queries.ts'
import { removeWebhooksOfApp } from './remove-webhook.ts'

export const webhooks: Module = {
  tag: 'Webhooks',
  endpoints: Object.values(endpoints),
  events: [WebhookCreated, WebhookUpdated, WebhookSecretRotated, WebhookDisabled, WebhookWasRemoved],
  subscriptions: [
    on(GrantRevoked, (tx, { app_id }) => removeWebhooksOfApp(tx, app_id)),
    on(GrantNarrowed, (tx, { app_id, scopes }) => narrowWithApp(tx, app_id, [...expanded(scopes)])),
    on(GrantSuspended, (tx, { app_id }) => pauseWithApp(tx, app_id)),
    on(GrantResumed, (tx, { app_id }) => resumeWithApp(tx, app_id)),
  ],
  periodicJobs: [maintainWebhookSecrets],
}
