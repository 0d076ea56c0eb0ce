/** Stores private notes on accounts, and reads which accounts have a follower. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

/** Stores a private note of one account on another. An empty comment deletes the note. */
export const putNote = async (tx: Tx, pair: { from: string; to: string }, comment: string): Promise<void> => {
  await tx.run(
    comment === ''
      ? sql`delete from notes where account_id = ${pair.from} and target_id = ${pair.to}`
      : sql`insert into notes (account_id, target_id, comment) values (${pair.from}, ${pair.to}, ${comment})
          on conflict (account_id, target_id) do update set comment = excluded.comment`,
  )
}

/** Returns which of `ids` are local accounts, and which have a follower. An account can be in both lists. */
export const involvedAmong = async (
  db: Reader,
  ids: readonly string[],
): Promise<{ local: string[]; followed: string[] }> => {
  const rows = await db.rows<{
    id: string
    local: boolean
    followed: boolean
  }>(sql`select a.id, a.domain is null as local,
      coalesce((select true from follows f where f.target_id = a.id limit 1), false) as followed
    from accounts a where a.id = any(${bigints(ids)})`)
  const idsOf = (is: 'local' | 'followed') => rows.filter((row) => row[is]).map((row) => row.id)
  return { local: idsOf('local'), followed: idsOf('followed') }
}
