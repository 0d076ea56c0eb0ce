/** Recognises refusals by Redis: wrong login, missing permission, or a server that accepts no writes. */

/** Error codes of refusals. The errors of a full or loading Redis are not included, because callers have a fallback. */
const CODES = /\b(?:NOPERM|NOAUTH|WRONGPASS|READONLY)\b/
/** Errors of Redis 7 when a script runs a command without permission. */
const IN_SCRIPT = /ACL failure in script|executing the script can't/

interface Replies {
  readonly replies?: readonly unknown[]
}

/**
 * The first line of a refusal, also of a single command in a pipeline; null for other errors.
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

/** True when the refusal is about one key or command, so that a probe of another one cannot confirm it. */
export const isAboutOne = (reason: string): boolean => /\bNOPERM\b/.test(reason) || IN_SCRIPT.test(reason)

/** True when the server is a replica, as the old primary is after a failover. */
export const isReadOnly = (reason: string): boolean => /\bREADONLY\b/.test(reason)
