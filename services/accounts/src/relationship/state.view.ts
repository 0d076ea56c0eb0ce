/**
 * Renders relationships for other services, by the account id in the list of the request. The id is the author, or the
 * viewer in `relationshipsToAuthor` (`core/relationship/store.ts`).
 */
import type { AccountRelationship } from '@murmuration/contracts/accounts'
import type { RelationshipRow } from '../core/relationship/store.js'

const relationshipOf = ({ id: _id, followed_by_since, ...row }: RelationshipRow): AccountRelationship => ({
  ...row,
  followed_by_since: followed_by_since?.toISOString() ?? null,
})

export const relationshipsOf = (rows: readonly RelationshipRow[]): Record<string, AccountRelationship> =>
  Object.fromEntries(rows.map((row) => [row.id, relationshipOf(row)]))
