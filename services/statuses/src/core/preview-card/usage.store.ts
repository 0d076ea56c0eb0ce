/** SQL that counts shares of linked pages, for trends. */
import { type Sql, sql, type Tx } from '@murmuration/db'
import { addUses } from '../tag/used-day.store.js'

/** Condition on previews `p`: an article with title, description, provider and picture (S-070). */
export const isArticle: Sql = sql`p.type = 0 and p.article and p.title <> '' and p.description <> ''
  and p.provider_name <> '' and p.image_id is not null`

/** A status that an account posted or boosted on a day. */
export interface Share {
  day: string
  account: string
  status: string
}

/**
 * Counts shares of the pages that public statuses link. Shares by limited or suspended accounts, and those in sensitive
 * statuses, are not counted. The caller must count each share only once.
 */
export const countShares = async (tx: Tx, shares: readonly Share[]): Promise<void> => {
  if (shares.length === 0) return
  await addUses(
    tx,
    'preview',
    sql`select given.day, p.id, given.account_id
      from unnest(${shares.map((one) => one.day)}::date[], ${shares.map((one) => one.account)}::bigint[],
        ${shares.map((one) => one.status)}::bigint[]) as given(day, account_id, status_id)
      cross join lateral (select s.author_id, s.preview_id from statuses s where s.id = given.status_id
        and s.deleted_at is null and s.visibility = 0 and s.spoiler_text = '' and not s.sensitive) s
      join previews p on p.id = s.preview_id
      where ${isArticle} and not exists (select 1 from author_flags a
        where a.account_id in (s.author_id, given.account_id) and (a.silenced or a.suspended))`,
  )
}
