/** Builds SQL conditions of the account list of staff. */
import type { ModeratedFilter } from '@murmuration/contracts/accounts'
import { type Cursor, type Sql, sql } from '@murmuration/db'
import { prefixPattern } from './rules.js'

export interface Filter extends Omit<ModeratedFilter, 'staff'> {
  /** Stored addresses that match `email` in Unicode but not in ASCII. */
  emails?: readonly string[]
}

/** Role id in a filter that means accounts without an assigned role. */
export const EVERYONE = '-99'
export const ownRoles = (ids: readonly string[]): string[] => ids.filter((id) => id !== EVERYONE)

/** SQL condition: a column of ids is within the bounds of the page. */
export const boundsOf = (column: Sql, page: Cursor): Sql => {
  const above = page.min_id ?? page.since_id
  return sql`${page.max_id === undefined ? sql`` : sql`and ${column} < ${page.max_id}::bigint`}
    ${above === undefined ? sql`` : sql`and ${column} > ${above}::bigint`}`
}

export const prefixOf = (column: Sql, prefix: string): Sql => sql`lower(${column}) like ${prefixPattern(prefix)}`

/**
 * SQL of the ids of users with an IP address in a network. It uses `union`, because for `union all` the planner would
 * always expect 200 different ids.
 */
export const networkOf = (range: string): Sql => sql`select user_id from sign_ins where ip <<= ${range}::inet
  union select user_id from sign_ups where ip <<= ${range}::inet`

/** SQL of the number of stored IP addresses in a network, of sign-ins and of sign-ups. Each table is counted up to `limit`. */
export const addressesIn = (range: string, limit: number): Sql => sql`select count(*)::int as n from (
  (select from sign_ins where ip <<= ${range}::inet limit ${limit})
  union all (select from sign_ups where ip <<= ${range}::inet limit ${limit})) found`
