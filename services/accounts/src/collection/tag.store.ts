/** SQL of the hashtags that staff made unusable. */
import { type Reader, sql, texts } from '@murmuration/db'

/** Stores the list of unusable hashtags, unless a newer one is stored. */
export const putUnusable = async (db: Reader, names: readonly string[], at: Date): Promise<void> => {
  await db.run(sql`insert into unusable_tags as stored (names, listed_at) values (${names}::text[], ${at})
    on conflict (id) do update set names = excluded.names, listed_at = excluded.listed_at
    where stored.listed_at <= excluded.listed_at`)
}

/** Whether staff made the hashtag with this normalised name unusable. */
export const isUnusable = async (db: Reader, name: string): Promise<boolean> =>
  (await db.row(sql`select 1 from unusable_tags where ${name} = any(names)`)) !== null

/** The given normalised hashtags that staff made unusable. */
export const unusableAmong = async (db: Reader, names: readonly string[]): Promise<Set<string>> => {
  if (names.length === 0) return new Set()
  const rows = await db.rows<{ name: string }>(
    sql`select name from unusable_tags, unnest(names) as name where name = any(${texts(names)})`,
  )
  return new Set(rows.map((row) => row.name))
}
