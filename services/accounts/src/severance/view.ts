/** Renders RelationshipSeveranceEvent JSON from rows. */
import type { RelationshipSeveranceEvent } from '@murmuration/contracts'
import type { SeveranceRow } from './store.js'

export const severanceOf = (row: SeveranceRow): RelationshipSeveranceEvent => ({
  id: row.id,
  type: row.kind,
  purged: row.purged,
  target_name: row.target_name,
  followers_count: row.followers_count,
  following_count: row.following_count,
  created_at: row.created_at.toISOString(),
})
