/** Refusals of the address guard, as values for the log. */

import { OutboundError } from './errors.js'

/** A refused request to a forbidden address. `host` is unchecked input of any length; `reason` is our own text. */
export type Refusal = { host: string; reason: string }

/** The refusal that an error stands for, on the way to this URL; null for every other error. */
export function refusalOf(error: unknown, url: string | URL): Refusal | null {
  const refused = error instanceof OutboundError && error.code === 'forbidden_address'
  return refused ? { host: new URL(url).hostname, reason: error.message } : null
}
