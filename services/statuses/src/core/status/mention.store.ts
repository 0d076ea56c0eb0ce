/** SQL of mentions. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import { idAt } from './id-time.rules.js'

export interface Mention {
  id: string
  silent: boolean
}

/** Stores the mentions of a status, in the order of its text. */
export const insertMentions = (tx: Tx, status: string, mentions: readonly Mention[]): void => {
  if (mentions.length === 0) return
  tx.send(sql`insert into mentions (status_id, account_id, silent, place)
    select ${status}::bigint, account_id, silent, (place - 1)::smallint
    from unnest(${mentions.map((one) => one.id)}::bigint[], ${mentions.map((one) => one.silent)}::boolean[])
      with ordinality as given(account_id, silent, place)
    order by account_id on conflict (status_id, account_id) do update set silent = mentions.silent and excluded.silent`)
}

/** Appends mentions after the stored ones. Silent mentions of these accounts become visible. */
export const appendMentions = (tx: Tx, status: string, accounts: readonly string[]): Promise<number> =>
  tx.run(sql`insert into mentions (status_id, account_id, silent, place)
    select ${status}::bigint, account_id, false, (before.places + n)::smallint
    from unnest(${accounts}::bigint[]) with ordinality as given(account_id, n),
      (select coalesce(max(place), -1) as places from mentions where status_id = ${status}) before
    order by account_id on conflict (status_id, account_id) do update set silent = false`)

/**
 * Replaces mentions after an edit. Accounts that are no longer mentioned become silent mentions and keep their access.
 */
export const replaceMentions = async (tx: Tx, status: string, mentions: readonly Mention[]): Promise<void> => {
  await tx.run(sql`update mentions set silent = true where status_id = ${status}
    and not (account_id = any(${mentions.map((one) => one.id)}::bigint[]))`)
  if (mentions.length === 0) return
  await tx.run(sql`insert into mentions (status_id, account_id, silent, place)
    select ${status}::bigint, account_id, silent, (place - 1)::smallint
    from unnest(${mentions.map((one) => one.id)}::bigint[], ${mentions.map((one) => one.silent)}::boolean[])
      with ordinality as given(account_id, silent, place)
    order by account_id on conflict (status_id, account_id) do update set silent = excluded.silent, place = excluded.place`)
}

/** Mentioned accounts by status. `silent`: whether silent mentions are included. */
export const mentionedBy = async (
  db: Reader,
  statuses: readonly string[],
  more: { silent: boolean },
): Promise<Map<string, string[]>> => {
  const rows = await db.rows<{ status_id: string; accounts: string[] }>(sql`select status_id,
      array_agg(account_id order by place) as accounts from mentions
    where status_id = any(${bigints(statuses)}) and (${more.silent}::boolean or not silent) group by status_id`)
  return new Map(rows.map((row) => [row.status_id, row.accounts]))
}

/** Accounts that an author mentioned, not silently, in statuses since `since` (milliseconds). */
export const mentionedSince = async (
  db: Reader,
  author: string,
  { since, limit }: { since: number; limit: number },
): Promise<string[]> => {
  const rows = await db.rows<{ account_id: string }>(sql`select distinct m.account_id from statuses s
    join mentions m on m.status_id = s.id and not m.silent
    where s.author_id = ${author} and s.id >= ${idAt(since)}::bigint and s.deleted_at is null limit ${limit}`)
  return rows.map((row) => row.account_id)
}
