/** The operation that applies moderation decisions to accounts and domains, and its jobs. */
import { z } from 'zod'
import { internal, job, operation } from '../kit/index.js'

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

/**
 * Position in the accounts of a domain. Their order is by reversed domain of the handle, then by reversed host of the actor
 * id. `turned` is the reversed domain or host.
 */
const position = z.object({ by: z.enum(['handle', 'address']), turned: z.string(), id: z.string() })

export const moderateDomainJob = job('accounts.moderate-domain', {
  data: z.object({
    domain: z.string(),
    /** True: accounts of subdomains are left out. */
    exact: z.boolean().optional(),
    action: z.enum(['suspend', 'unsuspend', 'silence', 'unsilence']),
    stamp: z.string(),
    /** Id of the request by staff that started the job. Once a later request about the same domain block exists, the job does nothing. */
    order: z.string().optional(),
    /** Position of the last processed account, by reversed domain and id; absent at the start. */
    after: position.optional(),
    /**
     * Set in the last phase of a suspension: position of the last processed account. This phase ends the relationships with
     * accounts of the domain that another decision had already suspended.
     */
    others: position.optional(),
  }),
  about:
    'Changes the moderation state of the accounts of a domain, in pages, while the decision of staff is the latest.',
})

export const deleteDecisionsJob = job('accounts.forget-decisions', {
  data: z.object({
    domain: z.string(),
    /** True: accounts of subdomains are left out. */
    exact: z.boolean().optional(),
    action: z.enum(['unsuspend', 'unsilence']),
    stamp: z.string(),
    /** Id of the request by staff that removed the domain block. Once a later request about the same block exists, the job does nothing. */
    order: z.string().optional(),
    /** True in the last phase, which deletes the decisions about accounts that were removed meanwhile. */
    last: z.boolean().optional(),
    /**
     * Set while other blocks of the domain are applied again, after the phase `last`: position of the last such block.
     */
    applied: z.object({ turned: z.string(), stamp: z.string() }).optional(),
  }),
  about:
    'Deletes the decisions that a removed domain block left for removed accounts, in pages. Applies other blocks again.',
})

export const endWithSuspendedJob = job('accounts.end-with-suspended', {
  data: z.object({
    accounts: z.array(z.string()).max(1_000),
    /** Domain that staff blocked. */
    domain: z.string(),
    /** Stamp of the domain block. */
    stamp: z.string(),
  }),
  about: 'Ends the relationships of local accounts with accounts of a suspended domain, in pages.',
  concurrency: 1,
})

export const endFollowsHereJob = job('accounts.end-follows-here', {
  data: z.object({
    /** Account ids of suspended remote accounts. */
    accounts: z.array(z.string()).max(1_000),
    /** Stamp of the decision that suspends these accounts. */
    stamp: z.string(),
    /** Id of the decision that ends the follows. All pages of the job belong to one severance. */
    decision: z.string(),
  }),
  about: 'Ends the follows and follow requests of suspended remote accounts, in pages.',
  concurrency: 1,
})
