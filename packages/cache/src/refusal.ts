/** Recognises refusals by Redis: wrong login, missing permission, or a server that accepts no writes. */

/**
 * Error codes of refusals. Errors of a Redis that is full or still loading are no refusals, because callers have a
 * fallback for them.
 */
const CODES = /\b(?:NOPERM|NOAUTH|WRONGPASS|READONLY)\b/
/** Errors of Redis 7 when a script runs a command without permission. */
const IN_SCRIPT = /ACL failure in script|executing the script can't/

interface Replies {
  readonly replies?: readonly unknown[]
}

/**
 * First line of the error if Redis refused a command, also one command of a pipeline; null for other errors.
 *
 * @example refusalIn(new Error("NOPERM No permissions to access a key")) // the message
 */
export const refusalIn = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null
  if (CODES.test(error.message) || IN_SCRIPT.test(error.message)) return error.message.split('\n')[0] ?? ''
  for (const reply of (error as Replies).replies ?? []) {
    const found = refusalIn(reply)
    if (found !== null) return found
  }
  return null
}

/**
 * True when the refusal concerns a single key or command. A probe of other keys and commands cannot show whether such a
 * refusal is over.
 */
export const isAboutOne = (reason: string): boolean => /\bNOPERM\b/.test(reason) || IN_SCRIPT.test(reason)

/** True when Redis refused a write because it is a replica, as the old primary is after a failover. */
export const isReadOnly = (reason: string): boolean => /\bREADONLY\b/.test(reason)
