/** Username blocks as API entities. */
import type { UsernameRule } from '@murmuration/contracts/admin'
import type { UsernameBlockRow } from './store.js'

export const usernameRuleOf = (row: UsernameBlockRow): UsernameRule => ({
  ...row,
  created_at: row.created_at.toISOString(),
})
