/** Operations that return WebFinger documents for handles, and host-meta. */
import { z } from 'zod'
import { anyone, get, operation, raw } from '../kit/index.js'
import { signed, WITH_HEADERS } from './signed.js'

export const showWebFinger = operation('federation.webfinger.show', {
  http: get('/.well-known/webfinger'),
  viewer: anyone(),
  input: z.object({
    resource: z.unknown().optional(),
    /** Relations of the requested links. Links with other relations are left out (RFC 7033, section 4.3). */
    rel: z.union([z.array(z.unknown()), z.unknown()]).optional(),
  }),
  output: raw('application/jrd+json; charset=utf-8'),
  errors: ['invalid', 'not_found', 'gone'],
  about: 'The actor of a handle or address (RFC 7033).',
})

export const showHostMeta = operation('federation.webfinger.host-meta', {
  http: [get('/.well-known/host-meta'), get('/.well-known/host-meta.json')],
  viewer: anyone(),
  rawBody: WITH_HEADERS,
  input: signed(),
  output: raw('application/xrd+xml; charset=utf-8'),
  about: 'The address of WebFinger (RFC 6415), as XML or JSON.',
})
