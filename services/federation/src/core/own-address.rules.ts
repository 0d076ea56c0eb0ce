/** One spelling for addresses of accounts of this server. */
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { isOurs, type OwnHosts } from './authority.rules.js'

/**
 * The address of an account of this server without what other servers and clients put around it: a slash, query or fragment at
 * the end, an encoded `@`, the folder of the web client, and capitals in the host. Other addresses stay as they are.
 */
export const ownSpelling = (uri: Uri, ownHosts: OwnHosts): Uri => {
  if (!isOurs(uri, ownHosts)) return uri
  const { origin, pathname } = new URL(uri)
  const path = pathname
    .replace(/%40/gi, '@')
    .replace(/^\/web(?=\/@)/, '')
    .replace(/\/$/, '')
  return `${origin}${path}` as Uri
}
