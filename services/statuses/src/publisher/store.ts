/** SQL of publishers: hosts whose links reached the trends, and the decision of staff about each. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

export interface PublisherRow {
  id: string
  domain: string
  trendable: boolean | null
  reviewed_at: Date | null
  requested_review_at: Date | null
}

const COLUMNS = sql`id, domain, trendable, reviewed_at, requested_review_at`

/** One page of the publishers, newest first. */
export const publisherPage = async (db: Reader, page: Cursor): Promise<PublisherRow[]> =>
  newestFirst(
    await db.rows<PublisherRow>(sql`select ${COLUMNS} from publishers where true ${keyset(sql`id`, page)}`),
    page,
  )

/** Stores rows for publishers that are not stored yet. */
export const insertPublishers = async (tx: Tx, domains: readonly string[], nextId: () => string): Promise<void> => {
  if (domains.length === 0) return
  const fresh = await tx.rows<{ domain: string }>(sql`select domain from unnest(${domains}::text[]) as given(domain)
    where not exists (select 1 from publishers p where p.domain = given.domain) order by domain`)
  if (fresh.length === 0) return
  await tx.run(sql`insert into publishers (id, domain)
    select * from unnest(${fresh.map(() => nextId())}::bigint[], ${fresh.map((one) => one.domain)}::text[])
    order by 2 on conflict (domain) do nothing`)
}

/** Decisions about these domains. Domains without a decision are missing. */
export const decisionsAbout = async (db: Reader, domains: readonly string[]): Promise<Map<string, boolean>> => {
  if (domains.length === 0) return new Map()
  const rows = await db.rows<{ domain: string; trendable: boolean }>(
    sql`select domain, trendable from publishers where domain = any(${domains}::text[]) and trendable is not null`,
  )
  return new Map(rows.map((row) => [row.domain, row.trendable]))
}

/** Stores a decision. Returns null if the publisher is unknown. */
export const decidePublisher = (tx: Tx, id: string, trendable: boolean, at: Date): Promise<PublisherRow | null> =>
  tx.row<PublisherRow>(sql`update publishers set trendable = ${trendable}, reviewed_at = ${at} where id = ${id}
    returning ${COLUMNS}`)

/** Stores that staff received a review request for every publisher without a decision. */
export const requestPublisherReview = (tx: Tx, at: Date): Promise<number> =>
  tx.run(sql`update publishers set requested_review_at = ${at}
    where reviewed_at is null and requested_review_at is null`)
