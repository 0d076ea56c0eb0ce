/** Constants of remote accounts that several modules use. */

/** Value of `suspended_by` for accounts that their own server suspended. */
export const SUSPENDED_BY_HOME_SERVER = 'home server'

/**
 * Interval in milliseconds (7 days) in which one move and one reset of a remote account are accepted. A reset replaces all its keys.
 * The interval bounds how often a remote server makes this server change or send follows again.
 */
export const REMOTE_COOLDOWN_MS = 7 * 86_400_000
