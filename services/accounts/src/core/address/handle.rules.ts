/** Parses handles for look-up. A handle with a domain of this server means a local account. */
import type { Site } from '@murmuration/kernel'
import { parseHandle } from '@murmuration/text'

export interface HandleKey {
  username: string
  /** Domain of a remote account; null for local accounts. */
  domain: string | null
}

/** Parses a handle: `bob`, `@bob` or `bob@here.example` → `{ bob, null }`. Null if the text is no handle. */
export const handleKeyOf = (text: string, site: Pick<Site, 'handleDomains'>): HandleKey | null => {
  const handle = parseHandle(text)
  if (!handle) return null
  const domain = handle.domain === null || site.handleDomains.has(handle.domain) ? null : handle.domain
  return { username: handle.username.toLowerCase(), domain }
}
