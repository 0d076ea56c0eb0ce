/** Barriers: what must not be told any more, and the locks that keep telling and undoing apart. */
import { type Reader, sql, type Tx, texts } from '@murmuration/db'

/** Keys of barriers and locks. An activity is named as notifications name their source. */
export const keys = {
  undone: (source: string) => `undone:${source}`,
  pair: (recipient: string, from: string) => `pair:${recipient}:${from}`,
  domain: (recipient: string, domain: string) => `domain:${recipient}:${domain}`,
  token: (token: string) => `token:${token}`,
  /** Lock only: one person's push subscriptions. */
  push: (account: string) => `push:${account}`,
  /** Locks only: everything that one sender, or one domain, causes. */
  sender: (from: string) => `sender:${from}`,
  host: (domain: string) => `host:${domain}`,
}

/** The database's time, for `raisedSince`. */
export const databaseTime = async (db: Reader): Promise<Date> =>
  (await db.row<{ now: Date }>(sql`select clock_timestamp() as now`))?.now ?? new Date(0)

/** Holds these locks together with others who only tell, until the transaction ends. Taken in sorted order. */
export const share = async (tx: Tx, names: readonly string[]): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock_shared(hashtextextended(name, 0))
    from unnest(${[...new Set(names)].sort()}::text[]) as lock(name)`)
}

/** Holds these locks alone, until the transaction ends. */
export const lock = async (tx: Tx, names: readonly string[]): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${[...new Set(names)].sort()}::text[]) as lock(name)`)
}

/** From now on these must not be told. */
export const raise = async (tx: Tx, names: readonly string[]): Promise<void> => {
  await tx.run(sql`insert into barriers (key, at) select name, clock_timestamp() from unnest(${names}::text[]) as given(name)
    on conflict (key) do update set at = excluded.at`)
}

/** Which of these stand, and since when. Read after the locks were taken. */
export const raised = async (db: Reader, names: readonly string[]): Promise<Map<string, Date>> => {
  if (names.length === 0) return new Map()
  const rows = await db.rows<{ key: string; at: Date }>(
    sql`select key, at from barriers where key = any(${texts(names)})`,
  )
  return new Map(rows.map((row) => [row.key, row.at]))
}

/** Erases what is older than any event that may still be repeated. Returns how many. */
export const eraseBarriers = (db: Reader, most: number): Promise<number> =>
  db.run(sql`delete from barriers where key in (
    select key from barriers where at < now() - interval '8 days' limit ${most})`)
