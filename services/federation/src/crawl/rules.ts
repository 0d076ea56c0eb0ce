/** Parses documents about servers: `/api/v1/instance`, its activity and peers, and NodeInfo. */
import { isJsonObject, type JsonObject } from '@murmuration/activitypub/vocabulary/json'
import { readDomain, readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { registeredDomain } from '@murmuration/text'

/** Largest accepted count of users or statuses. A larger count is treated as unknown. */
const MAX_COUNT = 1_000_000_000
/** Maximum number of characters of a software name or version in NodeInfo; the rest is cut. */
const MAX_TEXT = 60

export interface Numbers {
  software: string | null
  version: string | null
  users: number | null
  statuses: number | null
  active_week: number | null
  joined_week: number | null
}

export const NO_NUMBERS: Numbers = {
  software: null,
  version: null,
  users: null,
  statuses: null,
  active_week: null,
  joined_week: null,
}

const utf8 = new TextDecoder()

/** The parsed JSON of a response, without a byte order mark; undefined if it is not JSON. */
export const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    return undefined
  }
}

const objectOrEmpty = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** A count from a number or a text of digits; null for other values. */
const countOf = (value: unknown): number | null => {
  const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT ? count : null
}

/** Printable characters of a text, at most `MAX_TEXT`; null if there are none, or for other values. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
        .slice(0, MAX_TEXT)
        .toWellFormed() || null
    : null

/** Parses `/api/v1/instance`; null for other documents. */
export const readInstance = (json: unknown): Partial<Numbers> | null => {
  const { stats, version } = objectOrEmpty(json)
  if (!isJsonObject(stats)) return null
  return { version: textOf(version), users: countOf(stats.user_count), statuses: countOf(stats.status_count) }
}

/** Parses `/api/v1/instance/activity`, a list of weeks with the current one first. Reads the last full week. */
export const readActivity = (json: unknown): Partial<Numbers> => {
  const lastWeek = Array.isArray(json) && json.length > 2 ? objectOrEmpty(json[1]) : {}
  return { active_week: countOf(lastWeek.logins), joined_week: countOf(lastWeek.registrations) }
}

const SCHEMAS = ['2.1', '2.0', '1.1', '1.0'].map((version) => `http://nodeinfo.diaspora.software/ns/schema/${version}`)
const MAX_LINKS = 20

/**
 * Address of the NodeInfo document with the newest known schema, from `/.well-known/nodeinfo`. Returns null if the
 * address is on another site.
 */
export const nodeInfoAddress = (json: unknown, host: string): Uri | null => {
  const { links } = objectOrEmpty(json)
  const known = (Array.isArray(links) ? links : []).slice(0, MAX_LINKS).map(objectOrEmpty)
  const link = SCHEMAS.map((schema) => known.find((one) => one.rel === schema)).find((one) => one !== undefined)
  const uri = readUri(link?.href)
  return uri !== null && registeredDomain(new URL(uri).host) === registeredDomain(host) ? uri : null
}

/** Parses a NodeInfo document; null for other documents. */
export const readNodeInfo = (json: unknown): Partial<Numbers> | null => {
  const { software, usage } = objectOrEmpty(json)
  if (!isJsonObject(software) || !isJsonObject(usage)) return null
  return {
    software: textOf(software.name),
    version: textOf(software.version),
    users: countOf(objectOrEmpty(usage.users).total),
    statuses: countOf(usage.localPosts),
  }
}

const isPublicName = (host: string): boolean => /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{1,62}$/.test(host)

/**
 * The host of an entry of `/api/v1/instance/peers`, or null.
 *
 * IP addresses and ports are accepted only if `anyHost`, for test networks, because a list may contain any text.
 */
export const readPeer = (entry: unknown, anyHost: boolean): string | null => {
  const domain = readDomain(entry)
  return domain !== null && (anyHost || isPublicName(domain)) ? domain : null
}
