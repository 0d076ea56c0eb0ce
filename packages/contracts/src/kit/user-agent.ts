/** Header `User-Agent` of requests to other servers. */
import { VERSION } from './version.js'

/** Value of the header `User-Agent`, for a server with this origin. Other servers recognise our requests by it. */
export const userAgentOf = (origin: string): string => `Murmuration/${VERSION} (+${origin}/)`

/** Whether a `User-Agent` is that of the server with this origin, in any version of this product. */
export const isUserAgentOf = (userAgent: string, origin: string): boolean =>
  userAgent
    .split('Murmuration/')
    .slice(1)
    .some((rest) => rest.slice(rest.indexOf(' ')).startsWith(` (+${origin}/)`))
