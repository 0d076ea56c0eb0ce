/** Parses handles for look-up. A handle with one of the two domains of this server means a local account. */
import { normaliseDomain, parseHandle } from '@murmuration/text'

export interface HandleKey {
  username: string
  /** Domain of a remote account; null for local accounts. */
  domain: string | null
}

/** Parses a handle: `bob`, `@bob` or `bob@here.example` → `{ bob, null }`. Null if the text is no handle. */
export const handleKeyOf = (text: string, site: { localDomain: string; webDomain: string }): HandleKey | null => {
  const handle = parseHandle(text)
  if (!handle) return null
  const own = [normaliseDomain(site.localDomain), normaliseDomain(site.webDomain)]
  const domain = handle.domain === null || own.includes(handle.domain) ? null : handle.domain
  return { username: handle.username.toLowerCase(), domain }
}
