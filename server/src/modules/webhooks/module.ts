import type { Module } from '#kernel/module.ts'
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

export const webhooks: Module = {
  endpoints: [getWebhooks, postWebhook, getWebhook, patchWebhook, deleteWebhook, postRotateSecret],
  events: [WebhookDisabled, WebhookWasRemoved],
  periodicJobs: [tendWebhookSecrets],
}
