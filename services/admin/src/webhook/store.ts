/** Stores webhooks and their deliveries. */
import type { WebhookEvent } from '@murmuration/contracts/entities'
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

export interface WebhookRow {
  id: string
  url: string
  events: WebhookEvent[]
  /** Secret of the webhook, encrypted. */
  secret: string
  template: string | null
  enabled: boolean
  paused_at: Date | null
  failing_since: Date | null
  last_error: string | null
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql`id, url, events, secret, template, enabled, paused_at, failing_since, last_error, created_at, updated_at`

export const webhookPage = async (db: Reader, page: Cursor): Promise<WebhookRow[]> =>
  newestFirst(
    await db.rows<WebhookRow>(sql`select ${COLUMNS} from webhooks where removed_at is null ${keyset(sql`id`, page)}`),
    page,
  )

export const webhookById = (db: Reader, id: string): Promise<WebhookRow | null> =>
  db.row<WebhookRow>(sql`select ${COLUMNS} from webhooks where id = ${id} and removed_at is null`)

/** One webhook, locked until the transaction ends. */
export const lockWebhook = (tx: Tx, id: string): Promise<WebhookRow | null> =>
  tx.row<WebhookRow>(sql`select ${COLUMNS} from webhooks where id = ${id} and removed_at is null for update`)

/** Webhooks that receive an event now. */
export const webhooksFor = (db: Reader, event: WebhookEvent): Promise<WebhookRow[]> =>
  db.rows<WebhookRow>(sql`select ${COLUMNS} from webhooks
    where enabled and paused_at is null and removed_at is null and ${event} = any(events) order by id`)

export const insertWebhook = (tx: Tx, row: WebhookRow): Promise<number> =>
  tx.run(sql`insert into webhooks (${COLUMNS}) values (${row.id}, ${row.url}, ${row.events}::text[], ${row.secret},
    ${row.template}, ${row.enabled}, ${row.paused_at}, ${row.failing_since}, ${row.last_error}, ${row.created_at},
    ${row.updated_at})`)

export const updateWebhook = (tx: Tx, row: WebhookRow): Promise<number> =>
  tx.run(sql`update webhooks set url = ${row.url}, events = ${row.events}::text[], secret = ${row.secret},
    template = ${row.template}, enabled = ${row.enabled}, paused_at = ${row.paused_at},
    failing_since = ${row.failing_since}, last_error = ${row.last_error}, updated_at = ${row.updated_at}
    where id = ${row.id}`)

/** Removes a webhook. The row of a removed webhook stays for a month for undo. */
export const removeWebhookRow = (tx: Tx, id: string, at: Date): Promise<WebhookRow | null> =>
  tx.row<WebhookRow>(sql`update webhooks set removed_at = ${at}
    where id = ${id} and removed_at is null returning ${COLUMNS}`)

/** Restores a removed webhook; null if its row is deleted. */
export const restoreWebhook = (tx: Tx, id: string): Promise<WebhookRow | null> =>
  tx.row<WebhookRow>(sql`update webhooks set removed_at = null
    where id = ${id} and removed_at is not null returning ${COLUMNS}`)

/** Deletes webhooks that were removed before this time. */
export const deleteRemovedWebhooks = (db: Reader, before: Date): Promise<number> =>
  db.run(sql`delete from webhooks where removed_at < ${before}`)

export interface DeliveryRow {
  id: string
  webhook_id: string
  event: WebhookEvent
  body: string
  state: 'waiting' | 'delivered' | 'refused' | 'failed' | 'dropped'
  tries: number
  status: number | null
  error: string | null
  created_at: Date
  updated_at: Date
}

const DELIVERY = sql`id, webhook_id, event, body, state, tries, status, error, created_at, updated_at`

export const insertDeliveries = (
  tx: Tx,
  rows: readonly Pick<DeliveryRow, 'id' | 'webhook_id' | 'event' | 'body'>[],
  at: Date,
): Promise<number> =>
  tx.run(sql`insert into webhook_deliveries (id, webhook_id, event, body, created_at, updated_at)
    select *, ${at}::timestamptz, ${at}::timestamptz from unnest(${rows.map((row) => row.id)}::bigint[],
      ${rows.map((row) => row.webhook_id)}::bigint[], ${rows.map((row) => row.event)}::text[],
      ${rows.map((row) => row.body)}::text[])`)

export const deliveryById = (db: Reader, id: string): Promise<DeliveryRow | null> =>
  db.row<DeliveryRow>(sql`select ${DELIVERY} from webhook_deliveries where id = ${id}`)

/** Deliveries to one webhook by id, newest first. */
export const deliveryPage = async (db: Reader, webhook: string, page: Cursor): Promise<DeliveryRow[]> =>
  newestFirst(
    await db.rows<DeliveryRow>(
      sql`select ${DELIVERY} from webhook_deliveries where webhook_id = ${webhook} ${keyset(sql`id`, page)}`,
    ),
    page,
  )

/** Stores the outcome of an attempt to deliver. */
export const updateDelivery = (
  tx: Tx,
  id: string,
  outcome: Pick<DeliveryRow, 'state' | 'tries' | 'status' | 'error'>,
  at: Date,
): Promise<number> =>
  tx.run(sql`update webhook_deliveries set state = ${outcome.state}, tries = ${outcome.tries},
    status = ${outcome.status}, error = ${outcome.error}, updated_at = ${at} where id = ${id}`)

/** Records that a delivery to a webhook succeeded. Writes only if the webhook was failing before. */
export const storeSuccess = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`update webhooks set failing_since = null, last_error = null
    where id = ${id} and (failing_since is not null or last_error is not null)`)

/** Records that a delivery to a webhook failed. Returns the time since which deliveries to the webhook fail. */
export const storeFailure = async (tx: Tx, id: string, error: string | null, at: Date): Promise<Date | null> =>
  (
    await tx.row<{ failing_since: Date }>(sql`update webhooks set failing_since = coalesce(failing_since, ${at}),
      last_error = ${error} where id = ${id} returning failing_since`)
  )?.failing_since ?? null

/** Pauses a webhook. Returns false if the webhook is already paused. */
export const pauseWebhook = async (tx: Tx, id: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`update webhooks set paused_at = ${at} where id = ${id} and paused_at is null`)) > 0

/** Deletes deliveries created before a time, at most `limit`. Returns the number of deleted deliveries. */
export const deleteOldDeliveries = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`delete from webhook_deliveries where id in (
    select id from webhook_deliveries where created_at < ${before} order by created_at limit ${limit})`)
