/** Stores terms of service by effective date. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface TermsRow {
  /** Effective date of the version, such as `2026-01-31`. */
  day: string
  text: string
  published_at: Date
}

/** All versions of the terms of service, latest effective date first. */
export const everyTerms = (db: Reader): Promise<TermsRow[]> =>
  db.rows<TermsRow>(sql`select to_char(effective_date, 'YYYY-MM-DD') as day, text, published_at
    from terms_of_service order by effective_date desc limit 1000`)

/** All versions of the terms of service without their texts, latest effective date first. */
export const termsDays = (db: Reader): Promise<Omit<TermsRow, 'text'>[]> =>
  db.rows(sql`select to_char(effective_date, 'YYYY-MM-DD') as day, published_at
    from terms_of_service order by effective_date desc limit 1000`)

/** Stores the terms of a day. The new version replaces a version with the same effective date. */
export const putTerms = (tx: Tx, row: TermsRow): Promise<number> =>
  tx.run(sql`insert into terms_of_service (effective_date, text, published_at)
    values (${row.day}::date, ${row.text}, ${row.published_at})
    on conflict (effective_date) do update set text = excluded.text, published_at = excluded.published_at`)

/** True if terms of service were published. */
export const areTerms = async (db: Reader): Promise<boolean> =>
  (await db.row(sql`select 1 from terms_of_service limit 1`)) !== null
