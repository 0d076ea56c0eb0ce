/** Operations that count accounts, domains and relationships. */
import { z } from 'zod'
import { dayCountsOf } from '../day-count.js'
import { internal, operation } from '../kit/index.js'

export const accountCounts = operation('accounts.account.figures', {
  viewer: internal(),
  input: z.object({}),
  output: z.object({
    users: z.int(),
    activeMonth: z.int(),
    activeHalfyear: z.int(),
    domains: z.int(),
    /** Whether the base role of all users may invite. Processes of an earlier release leave it out. */
    invitesEnabled: z.boolean().optional(),
  }),
  about: 'Counts of users and domains for NodeInfo and the instance document.',
})

/** Starts of weeks (Mondays), in milliseconds since 1970. */
const Mondays = z.array(z.int()).max(60)

export const usersByWeek = operation('accounts.account.by-week', {
  viewer: internal(),
  input: z.object({ mondays: Mondays }),
  output: z.object({ weeks: z.array(z.object({ logins: z.int(), registrations: z.int() })) }),
  about: 'Number of active logins and of registrations in each of the weeks that begin at the given times.',
})

export const accountDomains = operation('accounts.account.domains', {
  viewer: internal(),
  large: true,
  input: z.object({}),
  output: z.object({ domains: z.array(z.string()) }),
  about: 'Domains of the remote accounts that this server knows.',
})

export const domainTies = operation('accounts.account.domain-ties', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ domains: z.array(z.string().max(255)).max(500) }),
  output: z.object({
    /** Counts per domain, in the order of the requested domains. They include subdomains, and end at 10,000. */
    ties: z.array(z.object({ accounts: z.int(), following: z.int(), followers: z.int() })),
  }),
  about: 'For each domain, the number of known accounts and of follows between them and local accounts.',
})

/** Operation that reads the daily counters of the accounts service. */
export const readAccountDayCounts = dayCountsOf('accounts')
