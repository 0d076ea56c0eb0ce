/** Parses the resource of a WebFinger query: a local account, the instance actor, or neither. */

import { hostOf, readDomain, readUri } from '@murmuration/activitypub/vocabulary/uri'
import { isId } from '@murmuration/contracts/kit'
import { plainPath } from '@murmuration/text/plain-path'
import { withoutNeedlessParts } from '../core/address/own-address.rules.js'

export type WebFingerSubject =
  | { what: 'account'; id: string | null; username: string | null }
  | { what: 'instance' }
  /** The WebFinger query is valid, but about a remote account. */
  | { what: 'foreign' }
  /** The WebFinger query is malformed. */
  | { what: 'nonsense' }

export interface Here {
  /** Domains of local handles. */
  readonly domains: ReadonlySet<string>
  /** Hosts of this server. */
  readonly hosts: ReadonlySet<string>
}

const username = /^[\p{L}\p{N}_.-]{1,2048}$/u
/** Path of a profile in web clients that show accounts of all servers: `/@name@domain`. */
const handlePath = /^\/@([^/@]+@[^/@]+)\/?$/
const personPath = /^\/(?:ap\/users\/(\d{1,19})|(?:users\/|@)([A-Za-z0-9_.-]{1,64}))\/?$/

const fromHandle = (text: string, here: Here): WebFingerSubject => {
  const [name = '', host, ...rest] = plainPath(text)
    .replace(/^acct:/i, '')
    .replace(/^@/, '')
    .split('@')
  const domain = readDomain(host)
  if (rest.length > 0 || domain === null || !name) return { what: 'nonsense' }
  if (!here.domains.has(domain)) return { what: 'foreign' }
  // The handle of the instance actor is `DOMAIN@DOMAIN`.
  if (here.domains.has(name.toLowerCase())) return { what: 'instance' }
  return username.test(name) ? { what: 'account', id: null, username: name } : { what: 'nonsense' }
}

const fromAddress = (text: string, here: Here): WebFingerSubject => {
  const uri = readUri(text)
  if (uri === null) return { what: 'nonsense' }
  if (!here.hosts.has(hostOf(uri) as string)) return { what: 'foreign' }
  const { pathname } = new URL(withoutNeedlessParts(uri, here.hosts))
  if (pathname === '/' || pathname === '/actor') return { what: 'instance' }
  const [, handle] = handlePath.exec(pathname) ?? []
  if (handle !== undefined) return fromHandle(handle, here)
  const [, id, name] = personPath.exec(pathname) ?? []
  if (id !== undefined && !isId(id)) return { what: 'foreign' }
  return id || name ? { what: 'account', id: id ?? null, username: name ?? null } : { what: 'foreign' }
}

export const readResource = (value: unknown, here: Here): WebFingerSubject => {
  if (typeof value !== 'string' || value.length > 2_048) return { what: 'nonsense' }
  // A URI of another scheme is valid, but names nothing on this server.
  if (/^(?!acct:|https?:|javascript:|data:)[a-z][a-z0-9+.-]*:(?!\d{1,5}$)/i.test(value)) return { what: 'foreign' }
  return /^https?:\/\//i.test(value) ? fromAddress(value, here) : fromHandle(value, here)
}
