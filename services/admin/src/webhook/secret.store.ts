/** Secrets of webhooks, and their copies for undo, as columns with encrypted secrets. */
import { bigints, type Reader, sql } from '@murmuration/db'
import type { RenewedSecret, SecretColumn, StoredSecret } from '@murmuration/kernel'

interface WebhookSecret extends StoredSecret {
  webhook: string
}

const freshOf = (secrets: readonly RenewedSecret[]) => sql`unnest(${bigints(secrets.map((one) => one.id))},
  ${secrets.map((one) => one.before)}::text[], ${secrets.map((one) => one.after)}::text[]) as fresh(id, old, new)`

/** The secret in a state of an audit log entry that is stored for undo. */
const hiddenIn = (db: Reader, name: string, side: ReturnType<typeof sql>): SecretColumn<WebhookSecret> => ({
  name,
  about: ({ webhook }) => webhook,
  page: (after, limit) =>
    db.rows(sql`select h.entry_id as id, coalesce(l.target_id, '') as webhook, h.${side} ->> 'secret' as encrypted
      from audit_hidden h join audit_log l on l.id = h.entry_id
      where h.${side} ->> 'secret' is not null and ${after === '' ? sql`true` : sql`h.entry_id > ${after}`}
      order by h.entry_id limit ${limit}`),
  replace: (secrets) =>
    db.run(sql`update audit_hidden h set ${side} = jsonb_set(h.${side}, '{secret}', to_jsonb(fresh.new))
      from ${freshOf(secrets)} where h.entry_id = fresh.id and h.${side} ->> 'secret' = fresh.old`),
})

export const webhookSecrets = (db: Reader): SecretColumn<WebhookSecret>[] => [
  {
    name: 'webhooks',
    about: ({ webhook }) => webhook,
    page: (after, limit) =>
      db.rows(sql`select id, id as webhook, secret as encrypted from webhooks
        where ${after === '' ? sql`true` : sql`id > ${after}`} order by id limit ${limit}`),
    replace: (secrets) =>
      db.run(sql`update webhooks w set secret = fresh.new from ${freshOf(secrets)}
        where w.id = fresh.id and w.secret = fresh.old`),
  },
  hiddenIn(db, 'undo-before', sql`before`),
  hiddenIn(db, 'undo-after', sql`after`),
]
