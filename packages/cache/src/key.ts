/** Names of keys in Redis: each begins with the service that owns it, so that a login can be held to its own keys. */

/** Makes keys of one owner, such as `statuses:feed:home:1`. */
export type KeyOf = (...parts: readonly (string | number)[]) => string

/**
 * The keys of a service. Every key in Redis comes from here; the Redis user of a service may use no other.
 *
 * @example
 * const keyOf = keyspace('statuses')
 * keyOf('feed', 'home', account) // 'statuses:feed:home:1'
 */
export const keyspace = (owner: string): KeyOf => {
  const prefix = `${owner}:`
  return (...parts) => prefix + parts.join(':')
}
