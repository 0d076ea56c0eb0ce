/** Which shares of pages count. */
import { type Sql, sql, type Tx } from '@murmuration/db'
import { addUses } from '../tag/used-day.store.js'

/** A condition on previews `p`: an article that says all that readers need (S-070). */
export const isArticle: Sql = sql`p.type = 0 and p.article and p.title <> '' and p.description <> ''
  and p.provider_name <> '' and p.image_id is not null`

/** A status that an account wrote or boosted on a day. */
export interface Share {
  day: string
  account: string
  status: string
}

/**
 * Counts shares of the pages that public statuses show, by their authors or by those who boosted them. Limited and
 * suspended accounts count nothing, nor does what comes with a warning. The caller sees to it that a share counts once.
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
