/** Moderation decisions about accounts and domains. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** Maximum number of accounts that one request moderates. */
export const MAX_MODERATED = 100

export const accountModerate = operation('accounts.account.moderate', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    id: z.string().optional(),
    /** Account ids moderated by one decision. */
    ids: z.array(z.string()).max(MAX_MODERATED).optional(),
    /** Moderates every account of this domain and its subdomains. The stamp lets undoing the block undo only this decision. */
    domain: z.string().optional(),
    /** True leaves out accounts of subdomains. */
    exact: z.boolean().optional(),
    /** True requests the follows again that the block ended; for `unsuspend` of a domain. */
    restores: z.boolean().optional(),
    action: z.enum(['suspend', 'unsuspend', 'silence', 'unsilence', 'disable', 'enable', 'sensitive', 'unsensitive']),
    stamp: z.string(),
    /**
     * For accounts by id. True when the stamp replaces that of another decision. Without `replaces`, lifting exempts
     * remote accounts from the existing blocks of their domains.
     */
    replaces: z.boolean().optional(),
  }),
  output: z.object({ changed: z.int() }),
  about: 'Applies a moderation decision to accounts or to a whole domain.',
})
