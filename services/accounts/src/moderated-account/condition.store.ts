/** SQL of conditions of the account list of staff. */
import type { ModeratedFilter } from '@murmuration/contracts/accounts'
import { type Cursor, type Sql, sql } from '@murmuration/db'
import { prefixPattern } from './rules.js'

export type Filter = Omit<ModeratedFilter, 'staff'>

/** Role id that means no assigned role. */
export const EVERYONE = '-99'
export const ownRoles = (ids: readonly string[]): string[] => ids.filter((id) => id !== EVERYONE)

/** The bounds of the page for a column of ids. */
export const boundsOf = (column: Sql, page: Cursor): Sql => {
  const above = page.min_id ?? page.since_id
  return sql`${page.max_id === undefined ? sql`` : sql`and ${column} < ${page.max_id}::bigint`}
    ${above === undefined ? sql`` : sql`and ${column} > ${above}::bigint`}`
}

export const prefixOf = (column: Sql, prefix: string): Sql => sql`lower(${column}) like ${prefixPattern(prefix)}`

/** User ids with an address in a network, each once. For `union all`, the planner would expect 200 different ids. */
export const networkOf = (range: string): Sql => sql`select user_id from sign_ins where ip <<= ${range}::inet
  union select user_id from sign_ups where ip <<= ${range}::inet`

/** Number of addresses in a network, counted up to `limit` for each table. */
export const addressesIn = (range: string, limit: number): Sql => sql`select count(*)::int as n from (
  (select from sign_ins where ip <<= ${range}::inet limit ${limit})
  union all (select from sign_ups where ip <<= ${range}::inet limit ${limit})) found`
