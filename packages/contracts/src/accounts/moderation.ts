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
    /**
     * Moderates every account of this domain and its subdomains. The accounts get the stamp of the block. The removal of the block
     * changes only accounts with this stamp.
     */
    domain: z.string().optional(),
    /** True leaves out accounts of subdomains. */
    exact: z.boolean().optional(),
    /** True requests the follows again that the block ended; for `unsuspend` of a domain. */
    restores: z.boolean().optional(),
    action: z.enum(['suspend', 'unsuspend', 'silence', 'unsilence', 'disable', 'enable', 'sensitive', 'unsensitive']),
    stamp: z.string(),
    /**
     * For accounts by id.
     * - True: the stamp replaces the stamp of another decision. If the limit or suspension is lifted, domain rules apply again.
     * - False: if the limit or suspension of a remote account is lifted, the existing blocks of its domain no longer apply to it.
     */
    replaces: z.boolean().optional(),
  }),
  output: z.object({ changed: z.int() }),
  about: 'Applies a moderation decision to accounts or to a whole domain.',
})
