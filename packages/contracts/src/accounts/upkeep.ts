/** Operations of the upkeep of remote accounts by staff and operators: fetched again, culled, pruned and purged. */
import { z } from 'zod'
import { STAFF_PREFIX, staffWrites } from '../admin/staff.js'
import { flagOr, id, int, internal, list, operation, post, text, textOrNone } from '../kit/index.js'
import { Task } from '../task.js'

const federates = staffWrites('manage_federation')

export const refreshAccount = operation('accounts.upkeep.refresh', {
  http: post(`${STAFF_PREFIX}/accounts/:id/refresh`),
  viewer: federates,
  class: 'search',
  input: z.object({ id: id() }),
  output: z.object({
    /**
     * `gone`: the server of the account reports it as deleted, so it is deleted here. `unavailable`: the server did not
     * respond or refused.
     */
    outcome: z.enum(['refreshed', 'gone', 'unavailable']),
  }),
  errors: ['not_found', 'forbidden'],
  about: 'Fetches the profile of a remote account now.',
})

export const refreshAllAccounts = operation('accounts.upkeep.refresh-all', {
  http: post(`${STAFF_PREFIX}/accounts/refresh`),
  viewer: federates,
  class: 'admin',
  input: z.object({ /** Only accounts of this domain. */ domain: textOrNone(300).optional(), dry_run: flagOr(false) }),
  output: Task,
  errors: ['unprocessable'],
  about: 'Starts a task that fetches the profiles of remote accounts, at most 30 of a server per minute.',
})

export const cullAccounts = operation('accounts.upkeep.cull', {
  http: post(`${STAFF_PREFIX}/accounts/cull`),
  viewer: federates,
  class: 'admin',
  input: z.object({
    /** Only accounts of these domains. */
    domains: list(text(300), 100).default([]),
    dry_run: flagOr(false),
  }),
  output: Task,
  errors: ['unprocessable'],
  about:
    'Starts a task that removes remote accounts for which their server responds 404 or 410. It checks accounts that were not fetched for a week. A server that does not respond is no evidence.',
})

export const purgeDomains = operation('accounts.upkeep.purge-domains', {
  http: post(`${STAFF_PREFIX}/domains/purge`),
  viewer: federates,
  class: 'admin',
  input: z.object({
    domains: list(text(300), 100).pipe(z.array(z.string()).min(1, "can't be blank")),
    /** True: accounts of subdomains are included. */
    below: flagOr(false),
    /** True: accounts are selected by the host of their actor id instead of the domain of their handle. */
    by_uri: flagOr(false),
    dry_run: flagOr(false),
  }),
  output: Task,
  errors: ['unprocessable'],
  about: 'Starts a task that removes all accounts of domains, with their statuses, media and relationships.',
})

export const removeProfileMedia = operation('accounts.upkeep.remove-profile-media', {
  http: post(`${STAFF_PREFIX}/media/remove_profiles`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: z.object({
    /** Only accounts whose profile was not fetched for this number of days. */
    days: int().pipe(z.int().min(0).max(36_500)).default(7),
    /** True: only the headers of profiles are removed. */
    headers_only: flagOr(false),
    /** True: accounts that follow local accounts, or are followed by them, are included. */
    include_follows: flagOr(false),
    dry_run: flagOr(false),
  }),
  output: Task,
  errors: ['unprocessable'],
  about:
    'Starts a task that removes copies of avatars and headers of remote accounts. They are fetched again when a user views them.',
})

export const accountsPrunable = operation('accounts.upkeep.prunable', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ /** Account id after which the window of accounts begins. */ after: z.string() }),
  output: z.object({
    /** Ids of remote accounts of the window that have no relation to local accounts. */
    ids: z.array(z.string()),
    /** Number of accounts in the window; `next` is its last id, null after the last account. */
    seen: z.int(),
    next: z.string().nullable(),
  }),
  about: 'Remote accounts without a relationship to local accounts, as far as accounts knows, in a window of ids.',
})

export const pruneAccounts = operation('accounts.upkeep.prune', {
  viewer: internal(),
  class: 'write',
  input: z.object({ ids: z.array(z.string()).max(1_000) }),
  output: z.object({ removed: z.int() }),
  about: 'Removes those of the given remote accounts that still have no relationship to local accounts.',
})
