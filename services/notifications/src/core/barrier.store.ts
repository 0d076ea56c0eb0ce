/**
 * Barriers: rows which record that an activity was undone, or that a recipient blocked a sender. Barriers stop
 * notifications that are stored later. Advisory locks order transactions that store notifications and transactions that
 * write barriers.
 */
import { type Reader, sql, type Tx, texts } from '@murmuration/db'

/** Keys of barriers and locks. `source` is the `source` of a notification. */
export const keys = {
  undone: (source: string) => `undone:${source}`,
  pair: (recipient: string, from: string) => `pair:${recipient}:${from}`,
  domain: (recipient: string, domain: string) => `domain:${recipient}:${domain}`,
  token: (token: string) => `token:${token}`,
  removed: (account: string) => `removed:${account}`,
  /** Key of a lock on the push subscriptions of an account. It has no barrier. */
  push: (account: string) => `push:${account}`,
  /** Keys of locks on the notifications by one sender, and by all senders on a domain. They have no barriers. */
  sender: (from: string) => `sender:${from}`,
  host: (domain: string) => `host:${domain}`,
  /**
   * Key of one lock for all permanent deletions of accounts, because a notification has one sender and many recipients. It is
   * sorted last, so that no transaction holds it while it waits for another lock.
   */
  removals: '~removals',
}

/**
 * The current time of the database, to compare with the times that `barriersAmong` returns. The clock of a process
 * could differ from them.
 */
export const databaseTime = async (db: Reader): Promise<Date> =>
  (await db.row<{ now: Date }>(sql`select clock_timestamp() as now`))?.now ?? new Date(0)

/**
 * Takes shared locks until the transaction ends, for transactions that store notifications. The names are sorted, so
 * that transactions do not deadlock.
 */
export const lockShared = async (tx: Tx, names: readonly string[]): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock_shared(hashtextextended(name, 0))
    from unnest(${[...new Set(names)].sort()}::text[]) as lock(name)`)
}

/**
 * Takes exclusive locks until the transaction ends, for transactions that write barriers. The names are sorted, so that
 * transactions do not deadlock.
 */
export const lockExclusive = async (tx: Tx, names: readonly string[]): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${[...new Set(names)].sort()}::text[]) as lock(name)`)
}

/** Writes barriers with the current time of the database. */
export const putBarriers = async (tx: Tx, names: readonly string[]): Promise<void> => {
  await tx.run(sql`insert into barriers (key, at) select name, clock_timestamp() from unnest(${names}::text[]) as given(name)
    order by name on conflict (key) do update set at = excluded.at`)
}

/** Times of existing barriers, by key. The caller must have taken the locks that writers of these barriers take. */
export const barriersAmong = async (db: Reader, names: readonly string[]): Promise<Map<string, Date>> => {
  if (names.length === 0) return new Map()
  const rows = await db.rows<{ key: string; at: Date }>(
    sql`select key, at from barriers where key = any(${texts(names)})`,
  )
  return new Map(rows.map((row) => [row.key, row.at]))
}

/**
 * Deletes at most `limit` barriers older than 8 days. Events are not repeated after that time. Returns the number of
 * deleted rows.
 */
export const eraseBarriers = (db: Reader, limit: number): Promise<number> =>
  db.run(sql`delete from barriers where key in (
    select key from barriers where at < now() - interval '8 days' limit ${limit})`)
