/** Decisions of staff on accounts and domains. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** Accounts that one request moderates. */
export const MOST_MODERATED = 100

export const accountModerate = operation('accounts.account.moderate', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    id: z.string().optional(),
    /** Several accounts by one decision. */
    ids: z.array(z.string()).max(MOST_MODERATED).optional(),
    /** Every account of this domain and below it, stamped so that undoing the block undoes just this. */
    domain: z.string().optional(),
    /** Nothing below the domain. */
    exact: z.boolean().optional(),
    /** Local accounts ask again for the follows that the block ended; for `unsuspend` of a domain. */
    restores: z.boolean().optional(),
    action: z.enum(['suspend', 'unsuspend', 'silence', 'unsilence', 'disable', 'enable', 'sensitive', 'unsensitive']),
    stamp: z.string(),
    /** The stamp replaces that of another decision; for accounts by id. */
    replaces: z.boolean().optional(),
  }),
  output: z.object({ changed: z.int() }),
  about: 'Staff changed how an account or a whole domain stands.',
})
