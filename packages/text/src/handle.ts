/** Handles: names of accounts in text, `@user` for local and `@user@domain` for remote accounts. */
import { normaliseDomain } from './domain.js'

/** Usernames of this server: 1 to 30 ASCII letters, digits and underscores. */
export const LOCAL_USERNAME = /^[A-Za-z0-9_]{1,30}$/

/** Usernames of other servers: also with dots and hyphens inside, at most 2,048 characters. */
export const REMOTE_USERNAME = /^(?![.-])[A-Za-z0-9_.-]{1,2048}(?<![.-])$/

/** A parsed handle. `domain` is in ASCII form; null if the handle has none. The username keeps its case. */
export type Handle = { username: string; domain: string | null }

/**
 * Parses `user`, `@user`, `user@domain` or `@user@domain`, with surrounding spaces; null if invalid.
 *
 * @example parseHandle(' @alice@München.example ') // { username: 'alice', domain: 'xn--mnchen-3ya.example' }
 */
export function parseHandle(text: string): Handle | null {
  const bare = text.trim().replace(/^@/, '')
  const at = bare.indexOf('@')
  const username = at < 0 ? bare : bare.slice(0, at)
  if (!REMOTE_USERNAME.test(username)) return null
  if (at < 0) return { username, domain: null }
  const domain = normaliseDomain(bare.slice(at + 1))
  return domain === null ? null : { username, domain }
}

/**
 * Key for looking up a handle: lower case, domain in ASCII form, no domain for local accounts.
 *
 * @param handleDomains domains that mean local accounts, in the form of `normaliseDomain`
 * @example handleKey({ username: 'Bob', domain: 'here.example' }, new Set(['here.example'])) // 'bob'
 */
export function handleKey(handle: Handle, handleDomains: ReadonlySet<string>): string {
  const name = handle.username.toLowerCase()
  if (handle.domain === null) return name
  const domain = normaliseDomain(handle.domain) ?? handle.domain.toLowerCase()
  return handleDomains.has(domain) ? name : `${name}@${domain}`
}
