/** IP blocks as staff sees them. */
import type { AdminIpBlock } from '@murmuration/contracts/entities'
import type { IpBlockRow } from './store.js'

export const ipBlockOf = (row: IpBlockRow): AdminIpBlock => ({
  id: row.id,
  ip: row.ip,
  severity: row.severity,
  comment: row.comment,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
})
