/** Private keys as columns with encrypted secrets. */
import { bigints, type Reader, sql } from '@murmuration/db'
import type { SecretColumn } from '@murmuration/kernel'
import { keyContext } from './ensure.js'

const columnOf = (db: Reader, name: string, column: ReturnType<typeof sql>): SecretColumn => ({
  name,
  about: ({ id }) => keyContext(id),
  page: (after, limit) =>
    db.rows(sql`select account_id as id, ${column} as encrypted from keys
      where ${column} is not null and ${after === '' ? sql`true` : sql`account_id > ${after}`}
      order by account_id limit ${limit}`),
  replace: (secrets) =>
    db.run(sql`update keys k set ${column} = fresh.after
      from unnest(${bigints(secrets.map((one) => one.id))}, ${secrets.map((one) => one.before)}::text[],
        ${secrets.map((one) => one.after)}::text[]) as fresh(id, before, after)
      where k.account_id = fresh.id and k.${column} = fresh.before`),
})

export const keySecrets = (db: Reader): SecretColumn[] => [
  columnOf(db, 'keys', sql`private_sealed`),
  columnOf(db, 'previous-keys', sql`previous_sealed`),
]
