/** Dimensions of the dashboard: the counters that they read, and the names of their keys for display. */
import type { DayCount, DayCountQuery } from '@murmuration/contracts/day-count'
import type { AdminDimension } from '@murmuration/contracts/entities'
import { LANGUAGES } from '@murmuration/text'
import { countText, type Owner, reversed } from './measure.rules.js'
import { addDays, type Period } from './period.rules.js'

type Item = AdminDimension['data'][number]

export interface DimensionPlan {
  owner: Owner
  query: DayCountQuery
  item: (key: string, value: string) => Item
}

/** Maximum number of days of the dimension `servers`, which reads a row per server and day. */
const MAX_SERVER_DAYS = 92

const named = (key: string, human: string, value: string): Item => ({ key, human_key: human, value })

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' })

/** English name of a language code; the code itself if it is unknown. */
export const languageName = (code: string): string => {
  if (code === 'und') return 'Unknown'
  // `Intl` names some languages like others, such as Twi like Akan.
  if (Object.hasOwn(LANGUAGES, code)) return LANGUAGES[code] ?? code
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

export const languageItem = (code: string, value: string): Item => named(code, languageName(code), value)
/** Item of a server. `local` is the domain of this server, whose key in counters is empty. */
export const serverItem = (local: string, domain: string, value: string): Item =>
  named(domain || local, domain || local, value)
const sourceItem = (app: string, value: string): Item => named(app || 'web', app || 'Website', value)

interface DimensionRequest {
  period: Period
  limit: number
  local: string
}

const PLAIN: Readonly<Record<string, (request: DimensionRequest) => DimensionPlan>> = {
  languages: ({ period, limit }) => ({
    owner: 'accounts',
    query: { metric: 'locale', ...period, by: ['key'], largest: limit },
    item: languageItem,
  }),
  sources: ({ period, limit }) => ({
    owner: 'accounts',
    query: { metric: 'source', ...period, by: ['key'], largest: limit },
    item: sourceItem,
  }),
  servers: ({ period, limit, local }) => {
    const earliest = addDays(period.until, 1 - MAX_SERVER_DAYS)
    const since = period.since > earliest ? period.since : earliest
    return {
      owner: 'statuses',
      query: { metric: 'status', since, until: period.until, by: ['key'], largest: limit },
      item: (key, value) => serverItem(local, reversed(key), value),
    }
  },
}

export const planDimension = (key: string, request: DimensionRequest): DimensionPlan | null =>
  Object.hasOwn(PLAIN, key) ? (PLAIN[key]?.(request) ?? null) : null

const OF_DOMAIN = ['instance_accounts', 'instance_languages'] as const
export type DomainDimension = (typeof OF_DOMAIN)[number]
export const isDomainDimension = (key: string): key is DomainDimension => (OF_DOMAIN as readonly string[]).includes(key)

/** Accounts of a domain by local followers, or its statuses by language. */
export const planDomainDimension = (
  key: DomainDimension,
  domain: string,
  { period, limit }: DimensionRequest,
): DimensionPlan => {
  const under = [`${reversed(domain.trim().toLowerCase())}/`]
  return key === 'instance_accounts'
    ? {
        owner: 'accounts',
        query: { metric: 'followed', under, by: ['key'], part: 2, largest: limit },
        item: (name, value) => named(name, name, value),
      }
    : {
        owner: 'statuses',
        query: { metric: 'status-language', under, ...period, by: ['key'], part: 2, largest: limit },
        item: languageItem,
      }
}

export const dimensionOf = (key: string, plan: DimensionPlan, found: readonly DayCount[]): AdminDimension => ({
  key,
  data: found.map((one) => plan.item(one.key ?? '', countText(one.value))),
})
