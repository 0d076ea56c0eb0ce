/** SQL of hashtags and of the statuses that have them. */
import { bigints, type Reader, sql, type Tx, texts } from '@murmuration/db'

export interface TagName {
  name: string
  display: string
}

/** A hashtag that has a row, and therefore an id. */
export interface KnownTag extends TagName {
  id: string
}

/**
 * Stores the tags of a status, and rows for new tags. The first spelling of a tag stays. `nextId` returns ids for new
 * rows.
 */
export const insertTags = async (
  tx: Tx,
  status: string,
  tags: readonly TagName[],
  nextId: () => string,
): Promise<void> => {
  if (tags.length === 0) return
  const names = tags.map((tag) => tag.name)
  const fresh = await tx.rows<{ name: string }>(sql`select name from unnest(${names}::text[]) as wanted(name)
    where not exists (select 1 from tags where tags.name = wanted.name)`)
  const missing = tags.filter((tag) => fresh.some((one) => one.name === tag.name))
  if (missing.length) await makeTags(tx, missing, nextId)
  await tx.run(sql`insert into status_tags (tag_id, status_id)
    select id, ${status}::bigint from tags where name = any(${texts(names)}) order by id on conflict do nothing`)
}

/** Deletes the rows that assign hashtags to these statuses. */
export const removeTags = (tx: Tx, statuses: readonly string[]): Promise<number> =>
  tx.run(sql`delete from status_tags where status_id = any(${bigints(statuses)})`)

/** Ids of tags by name. Unknown names are missing. */
export const tagIds = async (db: Reader, names: readonly string[]): Promise<Map<string, string>> => {
  if (names.length === 0) return new Map()
  const rows = await db.rows<{ id: string; name: string }>(
    sql`select id, name from tags where name = any(${texts(names)})`,
  )
  return new Map(rows.map((row) => [row.name, row.id]))
}

/** Tags by name. Unknown names are missing. */
export const tagsByName = async (db: Reader, names: readonly string[]): Promise<Map<string, KnownTag>> => {
  if (names.length === 0) return new Map()
  const rows = await db.rows<KnownTag>(sql`select id, name, display from tags where name = any(${texts(names)})`)
  return new Map(rows.map((row) => [row.name, row]))
}

/** The given names that staff made unusable, in order. */
export const unusableAmong = async (db: Reader, names: readonly string[]): Promise<string[]> => {
  if (names.length === 0) return []
  const rows = await db.rows<{ name: string }>(
    sql`select name from tags where name = any(${texts(names)}) and not usable`,
  )
  const unusable = new Set(rows.map((row) => row.name))
  return names.filter((name) => unusable.has(name))
}

/** Tags by id, in order. Unknown ids are omitted. */
export const tagsById = async (db: Reader, ids: readonly string[]): Promise<KnownTag[]> =>
  ids.length === 0
    ? []
    : db.rows(sql`select tags.id, name, display from unnest(${ids}::bigint[]) with ordinality as wanted(id, place)
        join tags on tags.id = wanted.id order by place`)

/** Stores rows for new tags. The first spelling stays. */
const makeTags = async (tx: Tx, tags: readonly TagName[], nextId: () => string): Promise<void> => {
  await tx.run(sql`insert into tags (id, name, display)
    select * from unnest(${tags.map(() => nextId())}::bigint[], ${tags.map((tag) => tag.name)}::text[],
      ${tags.map((tag) => tag.display)}::text[])
    order by 2, 1 on conflict (name) do nothing`)
}

/** Rows of tags by name. Missing rows are stored. */
export const ensureTags = async (
  tx: Tx,
  tags: readonly TagName[],
  nextId: () => string,
): Promise<Map<string, KnownTag>> => {
  const names = tags.map((tag) => tag.name)
  const known = await tagsByName(tx, names)
  const missing = tags.filter((tag) => !known.has(tag.name))
  if (missing.length === 0) return known
  await makeTags(tx, missing, nextId)
  return tagsByName(tx, names)
}

/** The row of one tag, stored if missing. */
export const ensureTag = async (tx: Tx, tag: TagName, nextId: () => string): Promise<KnownTag> => {
  const made = (await ensureTags(tx, [tag], nextId)).get(tag.name)
  if (!made) throw new Error('a stored tag is gone')
  return made
}

/** Whether an account follows and features each tag. */
export const tagMarksOf = async (
  db: Reader,
  account: string,
  tags: readonly string[],
): Promise<Map<string, { following: boolean; featuring: boolean }>> => {
  if (tags.length === 0) return new Map()
  const rows = await db.rows<{ id: string; following: boolean; featuring: boolean }>(sql`select tag.id,
      exists (select 1 from tag_follows f where f.tag_id = tag.id and f.account_id = ${account}) as following,
      exists (select 1 from featured_tags f where f.tag_id = tag.id and f.account_id = ${account}) as featuring
    from unnest(${tags}::bigint[]) as tag(id)`)
  return new Map(rows.map((row) => [row.id, row]))
}
