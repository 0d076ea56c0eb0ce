/** Which uses of tags count. */
import { sql, type Tx } from '@murmuration/db'
import { addUses } from './used-day.js'

/** A status that an account wrote on a day, with its tags. */
export interface Use {
  day: string
  account: string
  names: readonly string[]
}

/**
 * Counts uses of tags. Limited and suspended authors count nothing. The caller sees to it that a status counts once.
 */
export const countUses = async (tx: Tx, uses: readonly Use[]): Promise<void> => {
  const each = uses.flatMap(({ day, account, names }) => names.map((name) => ({ day, account, name })))
  if (each.length === 0) return
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
