/** SQL of quote authorizations for remote statuses: one for each quoting status, kept after revocation. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { quoteAuthorizations } from '../older-table-names.store.js'

export interface QuoteAuthorizationRow {
  id: string
  quoted_id: string
  quoted_author_id: string
  quoting_uri: string
  quoting_author_id: string
  revoked: boolean
}

const columns = sql`id, quoted_id, quoted_author_id, quoting_uri, quoting_author_id, revoked_at is not null as revoked`

/**
 * Stores a quote authorization and returns the stored one. If the quote has an authorization already, that one stays
 * unchanged, even if it is revoked.
 */
export const insertAuthorization = async (
  tx: Tx,
  authorization: Omit<QuoteAuthorizationRow, 'revoked'>,
): Promise<QuoteAuthorizationRow | null> => {
  await tx.run(sql`insert into ${quoteAuthorizations} (id, quoted_id, quoted_author_id, quoting_uri, quoting_author_id)
    values (${authorization.id}, ${authorization.quoted_id}, ${authorization.quoted_author_id}, ${authorization.quoting_uri}, ${authorization.quoting_author_id})
    on conflict (quoted_id, quoting_uri) do nothing`)
  return authorizationFor(tx, authorization.quoted_id, authorization.quoting_uri)
}

/** The authorization of one quote; null if none. */
export const authorizationFor = (
  db: Reader,
  quoted: string,
  quotingUri: string,
): Promise<QuoteAuthorizationRow | null> =>
  db.row(sql`select ${columns} from ${quoteAuthorizations} where quoted_id = ${quoted} and quoting_uri = ${quotingUri}`)

export const authorizationById = (db: Reader, id: string): Promise<QuoteAuthorizationRow | null> =>
  db.row(sql`select ${columns} from ${quoteAuthorizations} where id = ${id}`)

/**
 * Revokes a quote authorization permanently. If the quote has no authorization, one is stored as revoked, so that no
 * policy grants it later.
 */
export const revokeAuthorization = (
  tx: Tx,
  authorization: Omit<QuoteAuthorizationRow, 'revoked'>,
  at: Date,
): Promise<number> =>
  tx.run(sql`insert into ${quoteAuthorizations} as given
      (id, quoted_id, quoted_author_id, quoting_uri, quoting_author_id, revoked_at)
    values (${authorization.id}, ${authorization.quoted_id}, ${authorization.quoted_author_id}, ${authorization.quoting_uri}, ${authorization.quoting_author_id}, ${at})
    on conflict (quoted_id, quoting_uri) do update set revoked_at = coalesce(given.revoked_at, excluded.revoked_at)`)

/** Deletes the authorizations of statuses that are erased. */
export const deleteAuthorizationsFor = (tx: Tx, quoted: readonly string[]): Promise<number> =>
  tx.run(sql`delete from ${quoteAuthorizations} where quoted_id = any(${quoted}::bigint[])`)
