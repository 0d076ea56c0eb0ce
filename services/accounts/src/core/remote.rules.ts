/** Constants of remote accounts that several modules use. */

/** The stamp of accounts that their own server suspended. */
export const REMOTELY = 'home server'

/** Rules for a handle that its server gave to another actor. */

/** Remote accounts are believed once a week, so that nobody drives people to and fro (activities.md 4). */
export const REMOTE_REST_MS = 7 * 86_400_000
