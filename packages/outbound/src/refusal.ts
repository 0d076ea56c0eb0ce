/** What the guard refused, for those who write it down. */

import { OutboundError } from './errors.js'

/** Somebody wanted us to go where nobody may. `host` is as they wrote it, of any length; `reason` is a text of ours. */
export type Refusal = { host: string; reason: string }

/** The refusal that an error stands for, on the way to this URL; null for every other error. */
export function refusalOf(error: unknown, url: string | URL): Refusal | null {
  const refused = error instanceof OutboundError && error.code === 'forbidden_address'
  return refused ? { host: new URL(url).hostname, reason: error.message } : null
}
