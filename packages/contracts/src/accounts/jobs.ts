/** Jobs that the accounts service queues for itself. */
import { z } from 'zod'
import { job } from '../kit/index.js'

export const acceptRequestsJob = job('accounts.accept-requests', {
  data: z.object({ target: z.string() }),
  about: 'Accepts the remaining follow requests of an account that was unlocked.',
})

export const storeDigestsJob = job('accounts.keep-digests', {
  data: z.object({ account: z.string() }),
  about:
    'Computes the follower digests of an account with very many followers, which are kept up to date from then on.',
  timeoutMs: 90_000,
  concurrency: 1,
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

export const endWithDomainJob = job('accounts.end-with-domain', {
  data: z.object({
    /** Account id of the local account that blocks the domain. */
    account: z.string(),
    domain: z.string(),
    /** Id of the domain block, which is the cause of the severance. */
    cause: z.string(),
  }),
  about: 'Ends the relationships of a user with accounts of a domain that the user blocks, in pages.',
  concurrency: 1,
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

export const restoreFollowsJob = job('accounts.restore-follows', {
  data: z.object({
    /** Domain of the domain block that was removed. */
    domain: z.string(),
    /** Stamp of the domain block. */
    stamp: z.string(),
    /** Position after which the next page begins; absent for the first page. */
    after: z.object({ severance: z.string(), address: z.string() }).optional(),
  }),
  about: 'Requests again the follows of local accounts that an undone domain block ended, in pages.',
  concurrency: 1,
})

export const renewFollowsJob = job('accounts.renew-follows', {
  data: z.object({
    /** Account id of the followed remote account. */
    account: z.string(),
    which: z.enum(['follows', 'follow_requests']),
    /** Id of the follow after which the next page begins. */
    after: z.string(),
    /** Id of the renewal, the same for all pages. The ids of the new Follow activities end with it. */
    run: z.string(),
  }),
  about: 'Requests again the follows of an account whose server was set up anew, in pages.',
  concurrency: 1,
})

export const transferFollowersJob = job('accounts.hand-over', {
  data: z.object({
    /** Id of the account that had the handle before. */
    from: z.string(),
    /** Id of the account that has the handle now. */
    to: z.string(),
  }),
  about:
    'Fetches an account that lost its handle to another actor. If it no longer exists, its local followers follow the other actor.',
  retry: { delays: [60, 600, 3_600, 86_400], times: 5 },
  concurrency: 4,
})

export const refreshRemoteJob = job('accounts.refresh-remote', {
  data: z.object({ uri: z.string() }),
  about: 'Fetches a remote profile that was not fetched for a day, or the unknown target of a moved account.',
  retry: { delays: [30, 600], times: 3 },
  concurrency: 4,
})

export const verifyLinksJob = job('accounts.verify-links', {
  data: z.object({ account: z.string() }),
  about: 'Checks whether pages linked in profile fields link back to the profile.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 90_000,
  concurrency: 4,
})

export const carryOverJob = job('accounts.carry-over', {
  data: z.object({
    move: z.string(),
    what: z.enum(['followers', 'notes', 'mutes', 'blocks']),
    /** Account id after which the next page begins. */
    after: z.string(),
  }),
  about: 'Moves follows, notes, mutes and blocks of local accounts from a moved account to its new account, in pages.',
  concurrency: 4,
})

export const importJob = job('accounts.import', {
  data: z.object({
    id: z.string(),
    /** True: an operator restored the job, so the failed rows of a finished import are imported. */
    restored: z.boolean().optional(),
  }),
  about: 'Processes an import, one page of rows at a time.',
  timeoutMs: 120_000,
  concurrency: 4,
})
