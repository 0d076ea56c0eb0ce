/** Jobs that accounts queues for itself. */
import { z } from 'zod'
import { job } from '../kit/index.js'

export const acceptRequestsJob = job('accounts.accept-requests', {
  data: z.object({ target: z.string() }),
  about: 'Goes on accepting requests to an account that was unlocked.',
})

export const keepDigestsJob = job('accounts.keep-digests', {
  data: z.object({ account: z.string() }),
  about: 'Begins to keep the digests of the followers of an account that has very many.',
  timeoutMs: 90_000,
  concurrency: 1,
})

const place = z.object({ by: z.enum(['handle', 'address']), turned: z.string(), id: z.string() })

export const moderateDomainJob = job('accounts.moderate-domain', {
  data: z.object({
    domain: z.string(),
    /** True excludes subdomains. */
    exact: z.boolean().optional(),
    action: z.enum(['suspend', 'unsuspend', 'silence', 'unsilence']),
    stamp: z.string(),
    /** Order of the block's decision. Work with an order other than the latest is skipped. */
    order: z.string().optional(),
    /** Position of the last processed account, by reversed domain and id; absent at the start. */
    after: place.optional(),
    /** Position after which relationships with accounts that another decision suspends are ended. */
    others: place.optional(),
  }),
  about: 'Goes on changing how the accounts of a domain stand, for as long as that is what staff wants.',
})

export const endWithDomainJob = job('accounts.end-with-domain', {
  data: z.object({
    /** Account id of the local account that blocks the domain. */
    account: z.string(),
    domain: z.string(),
    /** Id of the block. */
    cause: z.string(),
  }),
  about: 'Goes on ending what a person has with the people of a domain that they block, a page at a time.',
  concurrency: 1,
})

export const endWithSuspendedJob = job('accounts.end-with-suspended', {
  data: z.object({
    accounts: z.array(z.string()).max(1_000),
    /** The domain that staff blocked. */
    domain: z.string(),
    /** Stamp of the block. */
    stamp: z.string(),
  }),
  about: 'Goes on ending what people here have with accounts of a suspended domain, a page at a time.',
  concurrency: 1,
})

export const endFollowsHereJob = job('accounts.end-follows-here', {
  data: z.object({
    /** Account ids of suspended remote accounts. */
    accounts: z.array(z.string()).max(1_000),
    /** Stamp of the decision that suspends them. */
    stamp: z.string(),
    /** Id of the decision in severances, so that all pages belong to the same one. */
    decision: z.string(),
  }),
  about: 'Goes on ending the follows and follow requests of suspended remote accounts, a page at a time.',
  concurrency: 1,
})

export const restoreFollowsJob = job('accounts.restore-follows', {
  data: z.object({
    /** The domain of an undone block. */
    domain: z.string(),
    /** Stamp of the block. */
    stamp: z.string(),
    /** Position after which the next page begins; absent for the first page. */
    after: z.object({ severance: z.string(), address: z.string() }).optional(),
  }),
  about: 'Asks again for the follows of local accounts that an undone domain block ended, a page at a time.',
  concurrency: 1,
})

export const renewFollowsJob = job('accounts.renew-follows', {
  data: z.object({
    /** Account id of the followed remote account. */
    account: z.string(),
    which: z.enum(['follows', 'follow_requests']),
    /** Id of the follow after which the next page begins. */
    after: z.string(),
    /** Id of the run, the same for all pages. The new activity ids end with it. */
    run: z.string(),
  }),
  about: 'Says anew that people here follow an account whose server began again, a page at a time.',
  concurrency: 1,
})

export const handOverJob = job('accounts.hand-over', {
  data: z.object({
    /** Account id that had the handle. */
    from: z.string(),
    /** Account id that has the handle now. */
    to: z.string(),
  }),
  about: 'Reads who lost a handle to another actor; when nobody is there any more, people here follow the other one.',
  retry: { delays: [60, 600, 3_600, 86_400], times: 5 },
  concurrency: 4,
})

export const refreshRemoteJob = job('accounts.refresh-remote', {
  data: z.object({ uri: z.string() }),
  about: 'Reads a remote profile again that was not read for a day.',
  retry: { delays: [30, 600], times: 3 },
  concurrency: 4,
})

export const verifyLinksJob = job('accounts.verify-links', {
  data: z.object({ account: z.string() }),
  about: 'Looks whether the pages that profile fields link to link back to the profile.',
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
  about: 'Carries what people here have with an account that moved over to its new home, a page at a time.',
  concurrency: 4,
})

export const importJob = job('accounts.import', {
  data: z.object({ id: z.string() }),
  about: 'Works off an import, a page of rows at a time.',
  timeoutMs: 120_000,
  concurrency: 4,
})
