/** Which remote accounts may be stored, and when they are read again. */
import { createHash } from 'node:crypto'
import type { Site } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import { linksToProve, type Provable } from '../core/verified-link.rules.js'

export interface DomainRuleFacts {
  domain: string
  severity: 'noop' | 'silence' | 'suspend'
}

const SEVERITIES = ['noop', 'silence', 'suspend']

/** Of the rules for the two names of a server, that of handles and that of addresses, the one that holds: the stricter. */
export const stricterRule = (one: DomainRuleFacts | null, other: DomainRuleFacts | null): DomainRuleFacts | null => {
  if (one === null || other === null) return one ?? other
  return SEVERITIES.indexOf(other.severity) > SEVERITIES.indexOf(one.severity) ? other : one
}

/** Why an actor is not stored: it claims to be one of ours, or its server is blocked. Null when it may be. */
export const refusalOfActor = (
  actor: { uri: string; domain: string },
  site: Pick<Site, 'localDomain' | 'webDomain'>,
  rule: DomainRuleFacts | null,
): 'ours' | 'blocked' | null => {
  const own = [site.localDomain, site.webDomain]
  const host = new URL(actor.uri).host
  if (own.includes(host) || own.map(normaliseDomain).includes(actor.domain)) return 'ours'
  return rule?.severity === 'suspend' ? 'blocked' : null
}

/** The stamp of accounts that were limited on arrival because of a rule for their domain. */
export const stampOfRule = (rule: DomainRuleFacts): string => `domain ${rule.domain}`

const DAY = 86_400_000

const HOUR = 3_600_000
const WEEK = 7 * DAY
const SPREAD = 6 * HOUR

/** When a profile was read, and before when it is not read again. */
export interface Reading {
  uri: string
  fetched_at: Date | null
  fetch_after: Date | null
}

/** A share of one that is always the same for an address, and different for most others. */
const shareOf = (uri: string): number => createHash('sha256').update(uri).digest().readUInt32BE() / 2 ** 32

/**
 * A profile that was not read for a day may be wrong. `old` is a week, for those that nobody looks at, and up to six
 * hours more so that profiles that became known together are not all read together.
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

/** Milliseconds for which a server is left alone that failed to tell so many times in a row: an hour, doubled up to a week. */
export const restAfter = (failures: number): number =>
  Math.min(HOUR * 2 ** Math.min(Math.max(failures, 1) - 1, 10), WEEK)

/** Links that are not proved yet are looked at when they are new, and otherwise twice a day at most. */
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

const MOST = 2_147_483_647

/** A number that a remote server told, made safe to store. */
export const tellable = (count: number | null): number | null =>
  count === null ? null : Math.max(0, Math.min(MOST, Math.floor(count)))
