/**
 * Names of keys in Redis. Each name begins with its service, so that the login of a service can be restricted to its
 * own keys.
 */

/** Builds keys of one service, such as `statuses:feed:home:1`. */
export type KeyOf = (...parts: readonly (string | number)[]) => string

/**
 * The key builder of a service. All keys in Redis are built with a key builder, and the Redis user of a service may use
 * no other keys.
 *
 * @example const keyOf = keyspace('statuses') keyOf('feed', 'home', account) // 'statuses:feed:home:1'
 */
export const keyspace = (owner: string): KeyOf => {
  const prefix = `${owner}:`
  return (...parts) => prefix + parts.join(':')
}
