/**
 * Operations and jobs about webhooks: addresses that receive signed requests about accounts, reports and statuses of
 * this server.
 */
import { z } from 'zod'
import { AdminWebhook, AdminWebhookDelivery, AdminWebhookTest, type WebhookEvent } from '../entities/index.js'
import { del, flag, get, id, job, list, operation, post, put, text, textOrNone } from '../kit/index.js'
import type { PermissionName } from '../permissions.js'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

/** Permission that a webhook needs for each event, because the payload contains data that this permission protects. */
export const WEBHOOK_PERMISSION: Readonly<Record<WebhookEvent, PermissionName>> = {
  'account.approved': 'manage_users',
  'account.created': 'manage_users',
  'account.updated': 'manage_users',
  'report.created': 'manage_reports',
  'report.updated': 'manage_reports',
  'status.created': 'view_devops',
  'status.updated': 'view_devops',
}

const reads = staffReads('manage_webhooks')
const writes = staffWrites('manage_webhooks')
const path = `${STAFF_PREFIX}/webhooks`
const one = z.object({ id: id() })

const fields = {
  url: z.union([z.null(), text(2_000)]).optional(),
  /** Names of events. Each requires the permission in WEBHOOK_PERMISSION. */
  events: list(text(50), 20).optional(),
  /**
   * Template of the request body with placeholders such as `{{object.account.acct}}`, which are replaced by JSON. If
   * empty, the plain payload is sent.
   */
  template: textOrNone(20_000).optional(),
  enabled: flag(),
}

export const listWebhooks = operation('admin.webhook.list', {
  http: get(path),
  viewer: reads,
  class: 'admin',
  input: z.object(staffPage()),
  output: staffPageOf(AdminWebhook),
  about: 'Webhooks, newest first.',
})

export const showWebhook = operation('admin.webhook.show', {
  http: get(`${path}/:id`),
  viewer: reads,
  class: 'admin',
  input: one,
  output: AdminWebhook,
  errors: ['not_found'],
  about: 'One webhook, with the secret that signs its requests.',
})

export const createWebhook = operation('admin.webhook.create', {
  http: post(path),
  viewer: writes,
  class: 'admin',
  input: z.object(fields),
  output: AdminWebhook,
  errors: ['unprocessable'],
  creates: true,
  about: 'Creates a webhook with a new secret.',
})

export const updateWebhook = operation('admin.webhook.update', {
  http: put(`${path}/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id(), ...fields }),
  output: AdminWebhook,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes a webhook; enabling it also ends a pause.',
})

export const removeWebhook = operation('admin.webhook.remove', {
  http: del(`${path}/:id`),
  viewer: writes,
  class: 'admin',
  input: one,
  output: z.object({}),
  errors: ['not_found'],
  about: 'Deletes a webhook with its deliveries.',
})

const acts = (verb: string, name: string, about: string) =>
  operation(`admin.webhook.${verb}`, {
    http: post(`${path}/:id/${name}`),
    viewer: writes,
    class: 'admin',
    input: one,
    output: AdminWebhook,
    errors: ['not_found'],
    about,
  })

export const enableWebhook = acts('enable', 'enable', 'Enables the webhook, which also ends a pause.')
export const disableWebhook = acts('disable', 'disable', 'Disables the webhook.')
export const rotateWebhookSecret = acts(
  'rotate-secret',
  'rotate_secret',
  'Replaces the secret of the webhook. Later requests are signed with the new one.',
)

export const testWebhook = operation('admin.webhook.test', {
  http: post(`${path}/:id/test`),
  viewer: writes,
  class: 'admin',
  input: one,
  output: AdminWebhookTest,
  errors: ['not_found'],
  about: 'Sends one signed request with an example to the webhook, and returns its outcome.',
})

export const listWebhookDeliveries = operation('admin.webhook.deliveries', {
  http: get(`${path}/:id/deliveries`),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id(), ...staffPage() }),
  output: staffPageOf(AdminWebhookDelivery),
  errors: ['not_found'],
  about: 'Deliveries to one webhook of the last week, newest first.',
})

/** Maximum number of tries of a webhook delivery. With the delays between them, the last try is about three days after the first. */
export const WEBHOOK_TRIES = 16

export const sendWebhook = job('admin.send-webhook', {
  data: z.object({
    delivery: z.string(),
    /** True: an operator restored the job, so the delivery is tried once more although it failed. */
    restored: z.boolean().optional(),
  }),
  about: 'Sends one delivery to its webhook.',
  retry: { delays: [5, 30, 120, 600, 1_800, 3_600, 7_200, 10_800, 14_400, 18_000, 21_600], times: WEBHOOK_TRIES },
  timeoutMs: 30_000,
  concurrency: 32,
})
