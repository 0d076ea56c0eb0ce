/** Canonical e-mail blocks as staff sees them. */
import type { AdminCanonicalEmailBlock } from '@murmuration/contracts/entities'
import type { CanonicalEmailBlockRow } from './store.js'

export const canonicalEmailBlockOf = (row: CanonicalEmailBlockRow): AdminCanonicalEmailBlock => ({
  id: row.id,
  canonical_email_hash: row.canonical_email_hash,
})
