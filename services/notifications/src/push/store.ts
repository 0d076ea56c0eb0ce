/** Push subscriptions: one per token, found by token, by person, and by id. */
import type { NotificationType, PushAlerts, PushPolicy } from '@murmuration/contracts/entities'
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface PushSubscriptionRow {
  id: string
  token_id: string
  account_id: string
  endpoint: string
  p256dh: string
  auth: string
  standard: boolean
  alerts: PushAlerts
  policy: PushPolicy
  locale: string
  token_sealed: string
}

const columns = sql`id, token_id, account_id, endpoint, p256dh, auth, standard, alerts, policy, locale, token_sealed`

export const subscriptionOfToken = (db: Reader, token: string): Promise<PushSubscriptionRow | null> =>
  db.row(sql`select ${columns} from push_subscriptions where token_id = ${token}`)

export const subscriptionById = (db: Reader, id: string): Promise<PushSubscriptionRow | null> =>
  db.row(sql`select ${columns} from push_subscriptions where id = ${id}`)

/** Puts this subscription in place of the token's earlier one. */
export const replaceSubscription = async (
  tx: Tx,
  one: Omit<PushSubscriptionRow, 'id'>,
  at: Date,
): Promise<PushSubscriptionRow> => {
  await tx.run(sql`delete from push_subscriptions where token_id = ${one.token_id}`)
  const row = await tx.row<PushSubscriptionRow>(sql`insert into push_subscriptions
      (token_id, account_id, endpoint, p256dh, auth, standard, alerts, policy, locale, token_sealed, created_at)
    values (${one.token_id}, ${one.account_id}, ${one.endpoint}, ${one.p256dh}, ${one.auth}, ${one.standard},
      ${JSON.stringify(one.alerts)}::jsonb, ${one.policy}, ${one.locale}, ${one.token_sealed}, ${at})
    returning ${columns}`)
  if (!row) throw new Error('a push subscription was not stored')
  return row
}

/** Replaces what is pushed; null when the token has no subscription. */
export const changeSubscription = (
  tx: Tx,
  token: string,
  wishes: { alerts: PushAlerts; policy: PushPolicy; locale: string },
): Promise<PushSubscriptionRow | null> =>
  tx.row(sql`update push_subscriptions set alerts = ${JSON.stringify(wishes.alerts)}::jsonb, policy = ${wishes.policy},
      locale = ${wishes.locale}
    where token_id = ${token} returning ${columns}`)

export const deleteOfTokens = (tx: Tx, tokens: readonly string[]): Promise<number> =>
  tx.run(sql`delete from push_subscriptions where token_id = any(${tokens}::bigint[])`)

export const deleteSubscription = (db: Reader, id: string): Promise<number> =>
  db.run(sql`delete from push_subscriptions where id = ${id}`)

/** Ids of a person's subscriptions that want this type pushed. */
export const subscriptionsWanting = async (db: Reader, account: string, type: NotificationType): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from push_subscriptions
      where account_id = ${account} and alerts -> ${type}::text = 'true'::jsonb and policy <> 'none' order by id`)
  ).map((row) => row.id)

/** A message was delivered: earlier failures no longer count. */
export const forgetFailures = (db: Reader, id: string): Promise<number> =>
  db.run(sql`update push_subscriptions set failures = 0 where id = ${id} and failures > 0`)

/** A message was given up. The subscription goes when so many in a row were. */
export const noteFailure = async (db: Reader, id: string, most: number): Promise<void> => {
  await db.run(sql`update push_subscriptions set failures = least(failures + 1, 1000) where id = ${id}`)
  await db.run(sql`delete from push_subscriptions where id = ${id} and failures >= ${most}::int`)
}
