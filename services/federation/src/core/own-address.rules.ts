/** One spelling for addresses of accounts of this server. */
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { plainPath } from '@murmuration/text/plain-path'
import { isOurs, type OwnHosts } from './authority.rules.js'

/**
 * The address of an account of this server without what other servers and clients put around it: a slash, query or fragment at
 * the end, encoded characters, the folder of the web client, and capitals in the host. Other addresses stay as they are.
 */
export const ownSpelling = (uri: Uri, ownHosts: OwnHosts): Uri => {
  if (!isOurs(uri, ownHosts)) return uri
  const { origin, pathname } = new URL(uri)
  const path = plainPath(pathname)
    .replace(/^\/web(?=\/@)/, '')
    .replace(/\/$/, '')
  return `${origin}${path}` as Uri
}
