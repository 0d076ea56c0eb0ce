/** Operation that applies moderation decisions to accounts and domains. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** Maximum number of accounts that one request moderates. */
export const MAX_MODERATED = 100

export const moderateAccount = operation('accounts.account.moderate', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    id: z.string().optional(),
    /** Ids of the accounts that this decision moderates. */
    ids: z.array(z.string()).max(MAX_MODERATED).optional(),
    /**
     * Domain whose accounts are moderated, including those of subdomains. The accounts get the stamp of the domain
     * block. The removal of the block changes only accounts with this stamp.
     */
    domain: z.string().optional(),
    /** True: accounts of subdomains are left out. */
    exact: z.boolean().optional(),
    /** Only for `unsuspend` of a domain. True: the follows that the domain block ended are requested again. */
    restores: z.boolean().optional(),
    action: z.enum(['suspend', 'unsuspend', 'silence', 'unsilence', 'disable', 'enable', 'sensitive', 'unsensitive']),
    stamp: z.string(),
    /**
     * Only for decisions about single accounts (`ids`).
     * - True: the stamp replaces the stamp of another decision. If the limit or suspension is lifted, domain rules apply again.
     * - False: if the limit or suspension of a remote account is lifted, the existing blocks of its domain no longer apply to it.
     */
    replaces: z.boolean().optional(),
  }),
  output: z.object({ changed: z.int() }),
  about: 'Applies a moderation decision to accounts or to a whole domain.',
})
