/** The name with which this product signs its requests to other servers. */
import { VERSION } from './version.js'

/** Value of the header `User-Agent`, for a server with this origin. Other servers recognise our requests by it. */
export const userAgentOf = (origin: string): string => `Murmuration/${VERSION} (+${origin}/)`
