/** Handles as they are looked up, whichever of our own domains they name. */
import { normaliseDomain, parseHandle } from '@murmuration/text'

export interface HandleKey {
  username: string
  /** Null for people of this server. */
  domain: string | null
}

/** `bob`, `@bob`, `bob@here.example` → `{ bob, null }`; null when it is no handle. */
export const handleKeyOf = (text: string, site: { localDomain: string; webDomain: string }): HandleKey | null => {
  const handle = parseHandle(text)
  if (!handle) return null
  const own = [normaliseDomain(site.localDomain), normaliseDomain(site.webDomain)]
  const domain = handle.domain === null || own.includes(handle.domain) ? null : handle.domain
  return { username: handle.username.toLowerCase(), domain }
}
