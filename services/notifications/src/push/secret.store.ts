/** Tokens of push subscriptions as a column with encrypted secrets. */
import { bigints, type Reader, sql } from '@murmuration/db'
import type { SecretColumn, StoredSecret } from '@murmuration/kernel'

interface TokenSecret extends StoredSecret {
  token_id: string
}

export const tokenSecrets = (db: Reader): SecretColumn<TokenSecret> => ({
  name: 'tokens',
  about: ({ token_id }) => token_id,
  page: (after, limit) =>
    db.rows(sql`select id, token_id, token_sealed as encrypted from push_subscriptions
      where ${after === '' ? sql`true` : sql`id > ${after}`} order by id limit ${limit}`),
  replace: (secrets) =>
    db.run(sql`update push_subscriptions s set token_sealed = fresh.after
      from unnest(${bigints(secrets.map((one) => one.id))}, ${secrets.map((one) => one.before)}::text[],
        ${secrets.map((one) => one.after)}::text[]) as fresh(id, before, after)
      where s.id = fresh.id and s.token_sealed = fresh.before`),
})
