/** Streaming that lives at another address: clients that ask here are sent there with path and query (S-104). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Site } from '@murmuration/kernel'
import type { Config } from './config.js'
import { guardHeaders } from './edge/response/headers.js'
import { isStreamingPath } from './surface.js'

/** `wss://streaming.example` as the origin that a redirect names; null when it is no address or our own. */
const elsewhere = (address: string, origin: string): string | null => {
  const url = URL.parse(address.replace(/^ws/, 'http'))
  return url === null || url.origin === new URL(origin).origin ? null : url.origin
}

/** Answers requests for streaming and says whether it did; null when streaming answers on our own address. */
export const createStreamingSignpost = ({
  config,
  site,
}: {
  config: Pick<Config, 'streamingUrl'>
  site: Pick<Site, 'origin' | 'https'>
}): ((req: IncomingMessage, res: ServerResponse) => boolean) | null => {
  const target = config.streamingUrl === '' ? null : elsewhere(config.streamingUrl, site.origin)
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
