/** Relationships as other services read them, by the id that their request contains. */
import type { Standing } from '@murmuration/contracts/accounts'
import type { StandingRow } from '../core/relation.store.js'

const standingOf = ({ id: _id, followed_by_since, ...row }: StandingRow): Standing => ({
  ...row,
  followed_by_since: followed_by_since?.toISOString() ?? null,
})

export const standingsOf = (rows: readonly StandingRow[]): { standings: Record<string, Standing> } => ({
  standings: Object.fromEntries(rows.map((row) => [row.id, standingOf(row)])),
})
