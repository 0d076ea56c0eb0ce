/** Rules about who may come in, as staff sees them. */
import type { EmailDomainRule, UsernameRule } from '@murmuration/contracts/admin'
import type { AdminCanonicalEmailBlock, AdminIpBlock } from '@murmuration/contracts/entities'
import type { CanonicalEmailBlockRow } from '../store/canonical-email-block.js'
import type { EmailDomainBlockRow } from '../store/email-domain-block.js'
import type { IpBlockRow } from '../store/ip-block.js'
import type { UsernameBlockRow } from '../store/username-block.js'

export const ipBlockOf = (row: IpBlockRow): AdminIpBlock => ({
  id: row.id,
  ip: row.ip,
  severity: row.severity,
  comment: row.comment,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
})

export const emailDomainRuleOf = (row: EmailDomainBlockRow): EmailDomainRule => ({
  ...row,
  created_at: row.created_at.toISOString(),
})

export const canonicalEmailBlockOf = (row: CanonicalEmailBlockRow): AdminCanonicalEmailBlock => ({
  id: row.id,
  canonical_email_hash: row.canonical_email_hash,
})

export const usernameRuleOf = (row: UsernameBlockRow): UsernameRule => ({
  ...row,
  created_at: row.created_at.toISOString(),
})
