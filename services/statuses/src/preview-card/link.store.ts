/** Addresses that somebody linked: one process of the cluster fetches each of them, and what it found is remembered. */
import { type Reader, sql } from '@murmuration/db'

export interface LinkRow {
  preview_id: string | null
  failures: number
  /** Another process is fetching it. */
  held: boolean
  /** The stored result is still valid. */
  fresh: boolean
}

/** Takes the right to fetch an address; null when it is fetched by somebody else now, or known well enough. */
export const claimLink = (db: Reader, url: string, now: Date, until: Date): Promise<{ failures: number } | null> =>
  db.row(sql`insert into links (url, next_at, held_until) values (${url}, to_timestamp(0), ${until})
    on conflict (url) do update set held_until = excluded.held_until
      where links.next_at <= ${now} and (links.held_until is null or links.held_until < ${now})
    returning failures`)

export const linkOf = (db: Reader, url: string, now: Date): Promise<LinkRow | null> =>
  db.row(sql`select preview_id, failures, held_until is not null and held_until >= ${now} as held, next_at > ${now} as fresh
    from links where url = ${url}`)

/** Lets somebody else fetch an address at once, because this process could not finish. */
export const releaseLink = (db: Reader, url: string): Promise<number> =>
  db.run(sql`update links set held_until = null where url = ${url}`)

/** Remembers what an address led to; null for nothing. */
export const settleLink = (
  db: Reader,
  url: string,
  found: { preview: string | null; failures: number; nextAt: Date },
): Promise<number> =>
  db.run(sql`update links set preview_id = ${found.preview}, failures = ${found.failures}, next_at = ${found.nextAt},
      held_until = null where url = ${url}`)
