/** Decides which remote accounts may be stored, and when they are fetched again. */
import { createHash } from 'node:crypto'
import type { Site } from '@murmuration/kernel'
import { linksToProve, type Provable } from '../core/account/verified-link.rules.js'

export interface AppliedDomainRule {
  domain: string
  severity: 'noop' | 'silence' | 'suspend'
}

const SEVERITIES = ['noop', 'silence', 'suspend']

/** Returns the stricter of two domain rules: the rule for the domain of handles, and the rule for the host of actor ids. */
export const stricterRule = (
  one: AppliedDomainRule | null,
  other: AppliedDomainRule | null,
): AppliedDomainRule | null => {
  if (one === null || other === null) return one ?? other
  return SEVERITIES.indexOf(other.severity) > SEVERITIES.indexOf(one.severity) ? other : one
}

/**
 * The reason why an actor is not stored: it claims to be local, or its server is blocked. Returns null if the actor may
 * be stored.
 */
export const refusalOfActor = (
  actor: { uri: string; domain: string },
  site: Pick<Site, 'localDomain' | 'webDomain' | 'handleDomains'>,
  rule: AppliedDomainRule | null,
): 'ours' | 'blocked' | null => {
  const host = new URL(actor.uri).host
  if ([site.localDomain, site.webDomain].includes(host) || site.handleDomains.has(actor.domain)) return 'ours'
  return rule?.severity === 'suspend' ? 'blocked' : null
}

/** Beginning of the stamps of limits that a domain rule set. */
export const RULE = 'domain '

/** Stamp of accounts that a domain rule limited when they were stored. */
export const stampOfRule = (rule: AppliedDomainRule): string => RULE + rule.domain

const DAY = 86_400_000

const HOUR = 3_600_000
const WEEK = 7 * DAY
const SPREAD = 6 * HOUR

/** Time of the last fetch of a profile, and the earliest time of the next one. */
export interface Reading {
  uri: string
  fetched_at: Date | null
  fetch_after: Date | null
}

/** A number from 0 to 1 that depends only on the actor id. It spreads the fetches of profiles over time. */
const shareOf = (uri: string): number => createHash('sha256').update(uri).digest().readUInt32BE() / 2 ** 32

/**
 * Whether a profile may be outdated: a day after its last fetch, or a week with `old` = `week`. `week` is for profiles that no user
 * requests. With `week`, up to six hours are added by actor id, so that profiles that were stored together are not fetched at the same
 * time.
 */
export const isStale = (
  { uri, fetched_at, fetch_after }: Reading,
  now: number,
  old: 'day' | 'week' = 'day',
): boolean => {
  if (fetch_after !== null && now < fetch_after.getTime()) return false
  const age = old === 'day' ? DAY : WEEK + shareOf(uri) * SPREAD
  return fetched_at === null || now - fetched_at.getTime() >= age
}

/**
 * Returns how long a remote account is not fetched after failed fetches, in milliseconds: one hour after the first
 * failure, doubled by each further one, at most a week.
 */
export const refetchDelay = (failures: number): number =>
  Math.min(HOUR * 2 ** Math.min(Math.max(failures, 1) - 1, 10), WEEK)

/** Whether unverified links are checked: if they are new, and otherwise at most twice a day. */
export const linksAreDue = (
  fields: readonly Provable[],
  before: { fields_html: readonly Provable[]; fetched_at: Date | null } | undefined,
  now: number,
): boolean => {
  if (linksToProve(fields, false).length === 0) return false
  if (!before) return true
  const values = (all: readonly Provable[]) => JSON.stringify(all.map((field) => field.value))
  return (
    values(fields) !== values(before.fields_html) ||
    before.fetched_at === null ||
    now - before.fetched_at.getTime() >= DAY / 2
  )
}

const MAX_INT32 = 2_147_483_647

/** A count that a remote server stated, limited to the range of the database column. */
export const clampCount = (count: number | null): number | null =>
  count === null ? null : Math.max(0, Math.min(MAX_INT32, Math.floor(count)))
