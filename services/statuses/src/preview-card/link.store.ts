/** SQL of linked addresses. One process of the cluster fetches each address, and the result is stored. */
import { type Reader, sql } from '@murmuration/db'

export interface LinkRow {
  preview_id: string | null
  failures: number
  /** True if another process is fetching the address. */
  held: boolean
  /** True if the stored result of an earlier fetch is still valid. */
  fresh: boolean
}

/**
 * Claims an address for fetching until `until`. Returns null if another process is fetching it, or the stored result is
 * valid.
 */
export const claimLink = (db: Reader, url: string, now: Date, until: Date): Promise<{ failures: number } | null> =>
  db.row(sql`insert into links (url, next_at, held_until) values (${url}, to_timestamp(0), ${until})
    on conflict (url) do update set held_until = excluded.held_until
      where links.next_at <= ${now} and (links.held_until is null or links.held_until < ${now})
    returning failures`)

export const linkOf = (db: Reader, url: string, now: Date): Promise<LinkRow | null> =>
  db.row(sql`select preview_id, failures, held_until is not null and held_until >= ${now} as held, next_at > ${now} as fresh
    from links where url = ${url}`)

/** Ends the claim of an address without a result, so that another process may fetch it at once. */
export const releaseLink = (db: Reader, url: string): Promise<number> =>
  db.run(sql`update links set held_until = null where url = ${url}`)

/** Stores the result of fetching an address and ends the claim. `preview` is null if there is nothing to show. */
export const storeLinkResult = (
  db: Reader,
  url: string,
  found: { preview: string | null; failures: number; nextAt: Date },
): Promise<number> =>
  db.run(sql`update links set preview_id = ${found.preview}, failures = ${found.failures}, next_at = ${found.nextAt},
      held_until = null where url = ${url}`)
