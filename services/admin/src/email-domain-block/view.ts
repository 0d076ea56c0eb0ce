/** E-mail domain blocks as staff and operators see them. */
import type { EmailDomainRule } from '@murmuration/contracts/admin'
import type { AdminEmailDomainBlock, UsageDay } from '@murmuration/contracts/entities'
import type { EmailDomainBlockRow } from './store.js'

export const emailDomainRuleOf = (row: EmailDomainBlockRow): EmailDomainRule => ({
  ...row,
  created_at: row.created_at.toISOString(),
})

/** An e-mail domain block with the numbers of sign-ups that it affected, newest day first. */
export const emailDomainBlockOf = (row: EmailDomainBlockRow, history: UsageDay[]): AdminEmailDomainBlock => ({
  id: row.id,
  domain: row.domain,
  created_at: row.created_at.toISOString(),
  allow_with_approval: row.allow_with_approval,
  history,
})
