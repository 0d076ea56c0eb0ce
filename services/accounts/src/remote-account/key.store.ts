/** Reads and writes public keys of remote accounts. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export const remoteKey = (
  db: Reader,
  keyId: string,
): Promise<{
  id: string
  pem: string
  owner: string
  accountId: string
  domain: string | null
  fetched_at: Date | null
  fetch_after: Date | null
} | null> =>
  db.row(sql`select k.id, k.pem, a.uri as owner, a.id as "accountId", a.domain, a.fetched_at, a.fetch_after
    from remote_keys k join accounts a on a.id = k.account_id where k.id = ${keyId}`)

/**
 * Whether a remote account has stored keys, and none of them is among `keys` or `unread`. Returns false if no keys are
 * stored, and if `keys` is empty.
 */
export const hasOtherKeys = async (
  db: Reader,
  accountId: string,
  keys: readonly { pem: string }[],
  unread: readonly string[] = [],
): Promise<boolean> => {
  if (keys.length === 0) return false
  const row = await db.row<{
    other: boolean | null
  }>(sql`select not bool_or(pem = any(${keys.map((key) => key.pem)}::text[])
      or id = any(${unread}::text[])) as other
    from remote_keys where account_id = ${accountId}`)
  return row?.other === true
}

/**
 * Replaces all keys of a remote account except those in `unread`. A key id that belongs to another account is not
 * changed.
 */
export const putRemoteKeys = async (
  tx: Tx,
  accountId: string,
  keys: readonly { id: string; pem: string }[],
  unread: readonly string[] = [],
): Promise<void> => {
  await tx.run(
    sql`delete from remote_keys where account_id = ${accountId}
      and id <> all(${[...keys.map((key) => key.id), ...unread]}::text[])`,
  )
  await tx.run(sql`insert into remote_keys (id, account_id, pem)
    select id, ${accountId}, pem from unnest(${keys.map((key) => key.id)}::text[], ${keys.map((key) => key.pem)}::text[]) as fresh(id, pem)
    order by id on conflict (id) do update set pem = excluded.pem where remote_keys.account_id = excluded.account_id`)
}
