/** Removes needless parts from addresses of this server, such as queries and fragments. */
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { plainPath } from '@murmuration/text/plain-path'
import { isOurs, type OwnHosts } from '../activity/authority.rules.js'

/**
 * An address on this server without needless parts. The host is kept. Addresses on other hosts are returned unchanged.
 *
 * | Part | Result |
 * |---|---|
 * | slash, query or fragment at the end | removed |
 * | percent-encoded characters | decoded |
 * | `/web` before `/@name` (old web client) | removed |
 * | capitals in the host | lower case |
 */
export const withoutNeedlessParts = (uri: Uri, ownHosts: OwnHosts): Uri => {
  if (!isOurs(uri, ownHosts)) return uri
  const { origin, pathname } = new URL(uri)
  const path = plainPath(pathname)
    .replace(/^\/web(?=\/@)/, '')
    .replace(/\/$/, '')
  return `${origin}${path}` as Uri
}
