/** SQL of the keywords of filters. Callers check the owner of the filter. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { KeywordRow } from '../core/filter/rules.js'

export const insertKeywords = async (tx: Tx, filter: string, rows: readonly KeywordRow[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.run(sql`insert into filter_keywords (id, filter_id, keyword, whole_word)
    select id, ${filter}::bigint, keyword, whole_word from unnest(${rows.map((row) => row.id)}::bigint[],
      ${rows.map((row) => row.keyword)}::text[], ${rows.map((row) => row.whole_word)}::boolean[]) as one(id, keyword, whole_word)`)
}

/** A keyword with the id of its filter; null if the account does not own the filter. */
export const keywordOf = (
  db: Reader,
  account: string,
  id: string,
): Promise<(KeywordRow & { filter_id: string }) | null> =>
  db.row(sql`select k.id, k.filter_id, k.keyword, k.whole_word from filter_keywords k
    join filters f on f.id = k.filter_id where k.id = ${id} and f.account_id = ${account}`)

/** Changes keywords of one filter. Returns the number of changed keywords; the filter does not contain the others. */
export const updateKeywords = async (
  tx: Tx,
  filter: string,
  changes: readonly { id: string; keyword?: string; whole_word?: boolean }[],
): Promise<number> => {
  if (changes.length === 0) return 0
  return tx.run(sql`update filter_keywords k set keyword = coalesce(one.keyword, k.keyword),
      whole_word = coalesce(one.whole_word, k.whole_word)
    from unnest(${changes.map((one) => one.id)}::bigint[], ${changes.map((one) => one.keyword ?? null)}::text[],
      ${changes.map((one) => one.whole_word ?? null)}::boolean[]) as one(id, keyword, whole_word)
    where k.id = one.id and k.filter_id = ${filter}`)
}

/** Deletes keywords of one filter. Returns the number of deleted keywords. */
export const deleteKeywords = async (tx: Tx, filter: string, ids: readonly string[]): Promise<number> =>
  ids.length === 0
    ? 0
    : tx.run(sql`delete from filter_keywords where filter_id = ${filter} and id = any(${ids}::bigint[])`)
