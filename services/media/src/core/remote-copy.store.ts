/** Copies of other servers' files that are still missing: what becomes of a failed try, and which ones are due again, in turn by hosts. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { registeredDomain } from '@murmuration/text'

/** A row that this process may fetch now, with the failures before, and since when it is known. */
export type Claimed<Row> = Row & { failures: number; created_at: Date }

/** Outcome of a try that made no copy. */
export interface Fate {
  /** Time of the failure, after which requests do not retry for a while; null when it was not the file's fault. */
  failedAt: Date | null
  /** No other try will do better. */
  forGood: boolean
  /** Failures from now on, and when it is tried again by itself; left out: as it was. */
  next?: { failures: number; retryAt: Date | null }
}

export const afterFailure = ({ failedAt, next }: Fate): Sql =>
  next === undefined
    ? sql`failed_at = coalesce(${failedAt}, failed_at)`
    : sql`failed_at = coalesce(${failedAt}, failed_at), failures = ${next.failures}, retry_at = ${next.retryAt}`

export interface Due {
  what: 'attachment' | 'picture'
  id: string
}

/** Sees to it that a copy that is missing is tried at this time at the latest. */
export const awaitCopy = async (db: Reader, { what, id }: Due, at: Date): Promise<void> => {
  const earliest = sql`retry_at = least(coalesce(retry_at, ${at}::timestamptz), ${at}::timestamptz)`
  await db.run(
    what === 'attachment'
      ? sql`update attachments set ${earliest} where id = ${id} and original_key is null and remote_url is not null`
      : sql`update pictures set ${earliest} where id = ${id} and key is null and remote_url is not null`,
  )
}

const TABLES = { attachment: sql`attachments`, picture: sql`pictures` } as const

/** Extends the claim of a file until then; changes nothing when the file is not claimed. */
export const renewClaim = (db: Reader, { what, id }: Due, until: Date): Promise<number> =>
  db.run(sql`update ${TABLES[what]} set claimed_until = ${until} where id = ${id} and claimed_until is not null`)

export interface Turns {
  now: Date
  /** Time at which a taken file is due again, in case its worker dies. */
  again: Date
  /** Files created before this that still wait for their host are given up. */
  waitingSince: Date
  /**
   * Of all hosts below one registered name so many are taken; the others get a turn of their own, as many after each pause
   * of `slotMs`. Of a silent host one is taken.
   */
  perHost: number
  slotMs: number
  /** So many are looked at, the longest due first, and so many of these are taken, in turn by hosts. */
  window: number
  most: number
}

export interface Turn {
  id: string
  taken: boolean
  givenUp: boolean
}

/** Looks at files that are due, takes some, and has others wait for their turn or for their host; those of which either is true. */
export const takeDue = async (tx: Tx, what: Due['what'], it: Turns): Promise<Turn[]> => {
  const found = await tx.rows<{ id: string; host: string }>(sql`
    select id, split_part(remote_url, '/', 3) as host from ${TABLES[what]}
    where retry_at <= ${it.now} order by retry_at limit ${it.window} for update skip locked`)
  if (found.length === 0) return []
  const sites = found.map(({ host }) => registeredDomain(host))
  return tx.rows(sql`with due as (
      select file.id, found.site, found.host, file.retry_at, file.created_at, silent.paused_until,
        silent.host is not null as silent, coalesce(silent.paused_until > ${it.now}, false) as paused
      from unnest(${found.map(({ id }) => id)}::bigint[], ${sites}::text[], ${found.map(({ host }) => host)}::text[])
        as found(id, site, host)
      join ${TABLES[what]} file using (id) left join silent_hosts silent on silent.host = found.host),
    placed as (
      select due.*, row_number() over site as nth, greatest(row_number() over site - ${it.perHost}::int,
        case when silent then row_number() over (partition by host order by retry_at, id) - 1 else 0 end) as late
      from due window site as (partition by site, paused order by retry_at, id)),
    fated as (
      select *, paused or late > 0 as waits, not paused and late <= 0
        and row_number() over (order by paused or late > 0, nth, id) <= ${it.most} as taken
      from placed)
    update ${TABLES[what]} file set retry_at = case
        when fated.waits and fated.created_at < ${it.waitingSince} then null
        when fated.paused then fated.paused_until
        when fated.waits then ${it.now}::timestamptz + make_interval(secs => ${it.slotMs / 1_000}) * (1 + (fated.late - 1) / ${it.perHost}::int)
        else ${it.again}::timestamptz end
    from fated where file.id = fated.id and (fated.waits or fated.taken)
    returning file.id, fated.taken, file.retry_at is null as "givenUp"`)
}
