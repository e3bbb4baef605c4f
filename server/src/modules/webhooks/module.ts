import { on } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { expanded } from '../access/public.ts'
import { GrantWasNarrowed, GrantWasResumed, GrantWasRevoked, GrantWasSuspended } from '../oauth/public.ts'
import {
  deleteWebhook,
  getWebhook,
  getWebhooks,
  patchWebhook,
  postRotateSecret,
  postWebhook,
} from './endpoints.ts'
import { WebhookDisabled, WebhookWasRemoved } from './events.ts'
import { tendWebhookSecrets } from './jobs.ts'
import { narrowWithApp, pauseWithApp, resumeWithApp } from './queries.ts'
import { removeWebhooksOfApp } from './remove-webhook.ts'

export const webhooks: Module = {
  endpoints: [getWebhooks, postWebhook, getWebhook, patchWebhook, deleteWebhook, postRotateSecret],
  events: [WebhookDisabled, WebhookWasRemoved],
  subscriptions: [
    on(GrantWasRevoked, (tx, { app_id }) => removeWebhooksOfApp(tx, app_id)),
    on(GrantWasNarrowed, (tx, { app_id, scopes }) => narrowWithApp(tx, app_id, [...expanded(scopes)])),
    on(GrantWasSuspended, (tx, { app_id }) => pauseWithApp(tx, app_id)),
    on(GrantWasResumed, (tx, { app_id }) => resumeWithApp(tx, app_id)),
  ],
  periodicJobs: [tendWebhookSecrets],
}
