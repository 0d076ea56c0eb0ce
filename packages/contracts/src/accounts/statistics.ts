/** Counts of accounts, domains and relationships. */
import { z } from 'zod'
import { dayCountsOf } from '../day-count.js'
import { internal, operation } from '../kit/index.js'

export const accountFigures = operation('accounts.account.figures', {
  viewer: internal(),
  input: z.object({}),
  output: z.object({ users: z.int(), activeMonth: z.int(), activeHalfyear: z.int(), domains: z.int() }),
  about: 'Counts of people for NodeInfo and the instance document.',
})

/** Starts of weeks (Mondays), in milliseconds since 1970. */
const Mondays = z.array(z.int()).max(60)

export const peopleByWeek = operation('accounts.account.by-week', {
  viewer: internal(),
  input: z.object({ mondays: Mondays }),
  output: z.object({ weeks: z.array(z.object({ logins: z.int(), registrations: z.int() })) }),
  about: 'How many people were here and joined in the weeks that begin at these moments.',
})

export const accountDomains = operation('accounts.account.domains', {
  viewer: internal(),
  large: true,
  input: z.object({}),
  output: z.object({ domains: z.array(z.string()) }),
  about: 'Servers that people are known of.',
})

export const domainTies = operation('accounts.account.domain-ties', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ domains: z.array(z.string().max(255)).max(500) }),
  output: z.object({
    /** In the order of the input. Counts include subdomains, and end at 10,000. */
    ties: z.array(z.object({ accounts: z.int(), following: z.int(), followers: z.int() })),
  }),
  about: 'How many accounts of each domain are known, and how many follows join them with people here.',
})

/** Counters by day that accounts stores. */
export const readAccountDayCounts = dayCountsOf('accounts')
