/** Table `push_subscriptions`: one row per access token or browser session. */
import type { NotificationType, PushAlerts, PushPolicy } from '@murmuration/contracts/entities'
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface PushSubscriptionRow {
  id: string
  /** Id of the access token; a negative number for a browser session, see `sessionKey`. */
  token_id: string
  account_id: string
  endpoint: string
  p256dh: string
  auth: string
  standard: boolean
  alerts: PushAlerts
  policy: PushPolicy
  locale: string
  encrypted_token: string
}

const columns = sql`id, token_id, account_id, endpoint, p256dh, auth, standard, alerts, policy, locale,
  token_sealed as encrypted_token`

export const subscriptionOfToken = (db: Reader, token: string): Promise<PushSubscriptionRow | null> =>
  db.row(sql`select ${columns} from push_subscriptions where token_id = ${token}`)

export const subscriptionById = (db: Reader, id: string): Promise<PushSubscriptionRow | null> =>
  db.row(sql`select ${columns} from push_subscriptions where id = ${id}`)

/** Inserts a push subscription, and deletes the earlier one of the same token. */
export const replaceSubscription = async (
  tx: Tx,
  one: Omit<PushSubscriptionRow, 'id'>,
  at: Date,
): Promise<PushSubscriptionRow> => {
  await tx.run(sql`delete from push_subscriptions where token_id = ${one.token_id}`)
  const row = await tx.row<PushSubscriptionRow>(sql`insert into push_subscriptions
      (token_id, account_id, endpoint, p256dh, auth, standard, alerts, policy, locale, token_sealed, created_at)
    values (${one.token_id}, ${one.account_id}, ${one.endpoint}, ${one.p256dh}, ${one.auth}, ${one.standard},
      ${JSON.stringify(one.alerts)}::jsonb, ${one.policy}, ${one.locale}, ${one.encrypted_token}, ${at})
    returning ${columns}`)
  if (!row) throw new Error('a push subscription was not stored')
  return row
}

/** Replaces alerts, policy and locale of the push subscription of a token. Returns null if the token has none. */
export const changeSubscription = (
  tx: Tx,
  token: string,
  settings: { alerts: PushAlerts; policy: PushPolicy; locale: string },
): Promise<PushSubscriptionRow | null> =>
  tx.row(sql`update push_subscriptions set alerts = ${JSON.stringify(settings.alerts)}::jsonb, policy = ${settings.policy},
      locale = ${settings.locale}
    where token_id = ${token} returning ${columns}`)

export const deleteOfTokens = (tx: Tx, tokens: readonly string[]): Promise<number> =>
  tx.run(sql`delete from push_subscriptions where token_id = any(${tokens}::bigint[])`)

export const deleteSubscription = (db: Reader, id: string): Promise<number> =>
  db.run(sql`delete from push_subscriptions where id = ${id}`)

/** Ids of an account's push subscriptions that have an alert for this notification type. */
export const subscriptionsWanting = async (db: Reader, account: string, type: NotificationType): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from push_subscriptions
      where account_id = ${account} and alerts -> ${type}::text = 'true'::jsonb and policy <> 'none' order by id`)
  ).map((row) => row.id)

/** Resets the failures of a push subscription after a message was delivered. */
export const deleteFailures = (db: Reader, id: string): Promise<number> =>
  db.run(sql`update push_subscriptions set failures = 0, failing_since = null where id = ${id} and failures > 0`)

/**
 * Counts a push message that could not be delivered at the time `at`. Deletes the subscription after `limit` consecutive
 * failures if the first of them was before `before`.
 */
export const countFailure = async (
  db: Reader,
  id: string,
  { at, limit, before }: { at: Date; limit: number; before: Date },
): Promise<void> => {
  // A process of the release before resets only `failures`.
  await db.run(sql`update push_subscriptions set failures = least(failures + 1, 1000),
    failing_since = case when failures = 0 then ${at}::timestamptz else coalesce(failing_since, ${at}) end where id = ${id}`)
  await db.run(sql`delete from push_subscriptions
    where id = ${id} and failures >= ${limit}::int and failing_since < ${before}`)
}
