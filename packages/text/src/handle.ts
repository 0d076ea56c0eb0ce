/** Handles: how people are named in text, `@user` here and `@user@domain` elsewhere. */
import { normaliseDomain } from './domain.js'

/** User names of this server: 1 to 30 ASCII letters, digits, underscores. */
export const LOCAL_USERNAME = /^[A-Za-z0-9_]{1,30}$/

/** User names of other servers: dots and hyphens inside as well, at most 2,048 characters. */
export const REMOTE_USERNAME = /^(?![.-])[A-Za-z0-9_.-]{1,2048}(?<![.-])$/

/** A handle in parts; `domain` is in ASCII form, null for a handle without one. The user name keeps its case. */
export type Handle = { username: string; domain: string | null }

/**
 * Reads `user`, `@user`, `user@domain` or `@user@domain`, with spaces around; null when it is none of them.
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
 * The key under which a handle is looked up: lower case, domain in ASCII form, no domain for this server's people.
 *
 * @example handleKey({ username: 'Bob', domain: 'here.example' }, 'here.example') // 'bob'
 */
export function handleKey(handle: Handle, localDomain: string): string {
  const name = handle.username.toLowerCase()
  if (handle.domain === null) return name
  const domain = normaliseDomain(handle.domain) ?? handle.domain.toLowerCase()
  return domain === normaliseDomain(localDomain) ? name : `${name}@${domain}`
}
