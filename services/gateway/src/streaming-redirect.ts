/** Redirects streaming requests to STREAMING_API_BASE_URL with path and query (S-104). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Site } from '@murmuration/kernel'
import type { Config } from './config.js'
import { guardHeaders } from './edge/response/headers.js'
import { isStreamingPath } from './surface.js'

/** Returns the origin of a streaming URL with `http` in place of `ws`. Returns null if it is not a URL, or is this server's own origin. */
const otherOrigin = (address: string, origin: string): string | null => {
  const url = URL.parse(address.replace(/^ws/, 'http'))
  return url === null || url.origin === new URL(origin).origin ? null : url.origin
}

/**
 * Returns a function that redirects streaming requests and returns true if it did. Null if streaming has the same
 * origin as this server.
 */
export const createStreamingRedirect = ({
  config,
  site,
}: {
  config: Pick<Config, 'streamingUrl'>
  site: Pick<Site, 'origin' | 'https'>
}): ((req: IncomingMessage, res: ServerResponse) => boolean) | null => {
  const target = config.streamingUrl === '' ? null : otherOrigin(config.streamingUrl, site.origin)
  if (target === null) return null
  return (req, res) => {
    const url = req.url ?? '/'
    if (!isStreamingPath(url.split('?', 1)[0] ?? '')) return false
    res.writeHead(301, [
      'Location',
      target + url,
      'Access-Control-Allow-Origin',
      '*',
      'Cache-Control',
      'private, no-store',
      ...guardHeaders(site.https),
      'Content-Length',
      '0',
    ])
    res.end()
    return true
  }
}
