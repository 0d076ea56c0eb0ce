/** Secrets of authenticator apps as a column with encrypted secrets. */
import { bigints, type Reader, sql } from '@murmuration/db'
import type { SecretColumn } from '@murmuration/kernel'
import { codeContext } from './factors.js'

export const codeSecrets = (db: Reader): SecretColumn => ({
  name: 'codes',
  about: ({ id }) => codeContext(id),
  page: (after, limit) =>
    db.rows(sql`select user_id as id, secret_sealed as encrypted from one_time_codes
      where ${after === '' ? sql`true` : sql`user_id > ${after}`} order by user_id limit ${limit}`),
  replace: (secrets) =>
    db.run(sql`update one_time_codes o set secret_sealed = fresh.after
      from unnest(${bigints(secrets.map((one) => one.id))}, ${secrets.map((one) => one.before)}::text[],
        ${secrets.map((one) => one.after)}::text[]) as fresh(id, before, after)
      where o.user_id = fresh.id and o.secret_sealed = fresh.before`),
})
