/** Who may quote a status: the author’s policy, as everybody reads it and as it falls out for one viewer. */
import type { QuoteApproval } from '@murmuration/contracts/entities'
import type { Visibility } from '@murmuration/contracts/statuses'

export const QUOTE_POLICIES = ['nobody', 'followers', 'public'] as const
export type QuotePolicy = (typeof QUOTE_POLICIES)[number]

/** The number a policy has in the database. */
export const quoteLevelOf = (policy: QuotePolicy): number => QUOTE_POLICIES.indexOf(policy)

/** The policy that can hold: private and direct statuses are quoted by nobody else. */
export const policyFor = (visibility: Visibility, wanted: QuotePolicy): QuotePolicy =>
  visibility === 'public' || visibility === 'unlisted' ? wanted : 'nobody'

export interface Quotable {
  authorId: string
  visibility: Visibility
  isReblog: boolean
  quotePolicy: number
}

/** The approval summary for a viewer (null: anonymous). */
export const quoteApproval = (viewerId: string | null, status: Quotable, follows: boolean): QuoteApproval => {
  const policy = QUOTE_POLICIES[status.quotePolicy] ?? 'nobody'
  const automatic: QuoteApproval['automatic'] = policy === 'nobody' ? [] : [policy]
  const mine =
    viewerId === null || status.visibility === 'direct' || status.isReblog
      ? 'denied'
      : viewerId === status.authorId || policy === 'public' || (policy === 'followers' && follows)
        ? 'automatic'
        : 'denied'
  return { automatic, manual: [], current_user: mine }
}
