/** Refusals of the address guard, for the log. */

import { OutboundError } from './errors.js'

/** A refused request. `host` is unchecked input of any length; `reason` is a text of this package. */
export type Refusal = { host: string; reason: string }

/** Refusal in an error of a request to this URL; null for every other error. */
export function refusalOf(error: unknown, url: string | URL): Refusal | null {
  const refused = error instanceof OutboundError && error.code === 'forbidden_address'
  return refused ? { host: new URL(url).hostname, reason: error.message } : null
}
