/** Handlers with which staff manages and tests webhooks, and lists their deliveries. */
import { randomBytes } from 'node:crypto'
import {
  type AuditAction,
  createWebhook,
  disableWebhook,
  enableWebhook,
  listWebhookDeliveries,
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  showWebhook,
  testWebhook,
  updateWebhook,
} from '@murmuration/contracts/admin'
import { invalidField, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import { rowPage } from '../core/row-page.js'
import { handle } from '../handlers.js'
import { changesOf, eventsOf, hiddenOf, hostOf, loggedOf, maySee } from './rules.js'
import {
  deliveryPage,
  insertWebhook,
  lockWebhook,
  removeWebhookRow,
  updateWebhook as storeWebhook,
  type WebhookRow,
  webhookById,
  webhookPage,
} from './store.js'
import { bodyOf, checkTemplate } from './template.rules.js'
import { deliveryOf, webhookOf } from './view.js'

/**
 * A webhook as API entity. The secret is included only if the viewer's role may see all events of the webhook. An
 * unreadable secret is null; staff can replace it.
 */
const shown = (ctx: Context, row: WebhookRow, { permissions }: Viewer) =>
  webhookOf(row, maySee(row.events, permissions) ? ctx.webhooks.secretCipher.decryptOrNull(row.secret, row.id) : null)
const DISABLE = 'disable_webhook'
const newSecret = (ctx: Context, id: string): string =>
  ctx.webhooks.secretCipher.encrypt(randomBytes(20).toString('hex'), id)

const found = async (ctx: Context, id: string): Promise<WebhookRow> => {
  const row = await webhookById(ctx.db, id)
  if (!row) throw notFound()
  return row
}

/** Validates the URL of a webhook, and returns it. Throws 422 if requests may not be sent to it. */
const urlOf = (ctx: Context, given: string | null | undefined): string => {
  const url = given?.trim()
  if (!url) throw invalidField("Url can't be blank")
  if (!ctx.webhooks.accepts(url)) throw invalidField('Url is not a valid URL')
  return url
}

const templateOf = (given: string | null): string | null => {
  if (given !== null) checkTemplate(given)
  return given
}

/**
 * Changes a webhook and records the action. Requires the permissions of all events of the webhook, because its URL
 * receives their data. Disabling a webhook does not require these permissions.
 */
const change = async (
  ctx: Context,
  by: Viewer,
  id: string,
  action: AuditAction,
  to: (row: WebhookRow) => Partial<WebhookRow>,
) => {
  const row = await ctx.db.tx(async (tx) => {
    const before = await lockWebhook(tx, id)
    if (!before) throw notFound()
    const after = { ...before, ...to(before), updated_at: ctx.clock.date() }
    if (action !== DISABLE) eventsOf(after.events, by.permissions)
    await storeWebhook(tx, after)
    await record(ctx, tx, by, {
      action,
      targetId: id,
      target: hostOf(after.url),
      before: loggedOf(before),
      after: { ...loggedOf(after), ...changesOf(before, after) },
      hidden: { before: hiddenOf(before), after: hiddenOf(after) },
    })
    return after
  })
  return shown(ctx, row, by)
}

export const list = handle(listWebhooks, async (ctx, viewer, page) =>
  rowPage(listWebhooks.output, await webhookPage(ctx.db, page), (row) => shown(ctx, row, viewer), page),
)

export const show = handle(showWebhook, async (ctx, viewer, { id }) => shown(ctx, await found(ctx, id), viewer))

export const create = handle(createWebhook, async (ctx, viewer, input) => {
  const [id, at] = [ctx.ids.next(), ctx.clock.date()]
  const row: WebhookRow = {
    id,
    url: urlOf(ctx, input.url),
    events: eventsOf(input.events ?? [], viewer.permissions),
    secret: newSecret(ctx, id),
    template: templateOf(input.template ?? null),
    enabled: input.enabled ?? true,
    paused_at: null,
    failing_since: null,
    last_error: null,
    created_at: at,
    updated_at: at,
  }
  await ctx.db.tx(async (tx) => {
    await insertWebhook(tx, row)
    await record(ctx, tx, viewer, {
      action: 'create_webhook',
      targetId: id,
      target: hostOf(row.url),
      after: loggedOf(row),
      hidden: { before: null, after: hiddenOf(row) },
    })
  })
  return shown(ctx, row, viewer)
})

const ENABLED = { enabled: true, paused_at: null, failing_since: null }

export const update = handle(updateWebhook, (ctx, viewer, { id, ...input }) =>
  change(ctx, viewer, id, 'update_webhook', () => ({
    ...(input.url === undefined ? {} : { url: urlOf(ctx, input.url) }),
    ...(input.events === undefined ? {} : { events: eventsOf(input.events, viewer.permissions) }),
    ...(input.template === undefined ? {} : { template: templateOf(input.template) }),
    ...(input.enabled === undefined ? {} : input.enabled ? ENABLED : { enabled: false }),
  })),
)

export const enable = handle(enableWebhook, (ctx, viewer, { id }) =>
  change(ctx, viewer, id, 'enable_webhook', () => ENABLED),
)

export const disable = handle(disableWebhook, (ctx, viewer, { id }) =>
  change(ctx, viewer, id, DISABLE, () => ({ enabled: false })),
)

export const rotateSecret = handle(rotateWebhookSecret, (ctx, viewer, { id }) =>
  change(ctx, viewer, id, 'rotate_secret_webhook', () => ({ secret: newSecret(ctx, id) })),
)

export const remove = handle(removeWebhook, async (ctx, viewer, { id }) => {
  await ctx.db.tx(async (tx) => {
    const row = await removeWebhookRow(tx, id, ctx.clock.date())
    if (!row) throw notFound()
    await record(ctx, tx, viewer, {
      action: 'destroy_webhook',
      targetId: id,
      target: hostOf(row.url),
      before: loggedOf(row),
      hidden: { before: hiddenOf(row), after: null },
    })
  })
  return {}
})

export const deliveries = handle(listWebhookDeliveries, async (ctx, _viewer, { id, ...page }) => {
  await found(ctx, id)
  return rowPage(listWebhookDeliveries.output, await deliveryPage(ctx.db, id, page), deliveryOf, page)
})

/**
 * Time limit of a test request. It is shorter than the time limit of the page's request, so that the page can show the
 * outcome.
 */
const TEST_MS = 8_000

/** Sends a test request. Runs in the role `webhooks`, the only role of this service with internet access. */
export const test = handle(testWebhook, async (ctx, viewer, { id }) => {
  const row = await found(ctx, id)
  const payload = JSON.stringify({ event: 'test', created_at: ctx.clock.date().toISOString(), object: {} })
  const began = ctx.clock.now()
  const { state, status, error } = await ctx.webhooks.send(row, bodyOf(payload, row.template), TEST_MS)
  const outcome = { delivered: state === 'delivered', status, error }
  await ctx.db.tx((tx) =>
    record(ctx, tx, viewer, { action: 'test_webhook', targetId: id, target: hostOf(row.url), after: outcome }),
  )
  return { ...outcome, milliseconds: Math.max(0, ctx.clock.now() - began) }
})
