/** SQL that counts uses of hashtags. */
import { sql, type Tx } from '@murmuration/db'
import { addUses } from '../core/tag/used-day.store.js'

/** A status that an account posted on a day, with its hashtags. */
export interface Use {
  day: string
  account: string
  language: string | null
  names: readonly string[]
}

/**
 * Counts uses of hashtags. Limited and suspended authors are not counted. The caller must count each status only once.
 */
export const countUses = async (tx: Tx, uses: readonly Use[]): Promise<void> => {
  const each = uses.flatMap(({ day, account, language, names }) =>
    names.map((name) => ({ day, account, language, name })),
  )
  if (each.length === 0) return
  await addPlaces(tx, each)
  await addUses(
    tx,
    'tag',
    sql`select given.day, tags.id, given.account_id
      from unnest(${each.map((one) => one.day)}::date[], ${each.map((one) => one.account)}::bigint[],
        ${each.map((one) => one.name)}::text[]) as given(day, account_id, name)
      join tags on tags.name = given.name
      where not exists (
        select 1 from author_flags a where a.account_id = given.account_id and (a.silenced or a.suspended))`,
  )
}

interface Placed {
  day: string
  account: string
  language: string | null
  name: string
}

/** Counts uses of hashtags by the author's domain and by language. */
const addPlaces = (tx: Tx, each: readonly Placed[]): Promise<number> =>
  tx.run(sql`insert into tag_places (day, tag_id, domain, language, uses)
    select given.day, tags.id, coalesce(a.domain, ''), given.language, count(*)::int
    from unnest(${each.map((one) => one.day)}::date[], ${each.map((one) => one.account)}::bigint[],
      ${each.map((one) => one.language ?? 'und')}::text[], ${each.map((one) => one.name)}::text[])
      as given(day, account_id, language, name)
    join tags on tags.name = given.name
    join author_flags a on a.account_id = given.account_id and not a.silenced and not a.suspended
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (day, tag_id, domain, language) do update set uses = tag_places.uses + excluded.uses`)
