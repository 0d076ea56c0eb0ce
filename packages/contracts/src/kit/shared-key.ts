/** A key in Redis that one service writes and another one reads. */

export interface SharedKey {
  /** Name of the service that writes the Redis key. */
  readonly owner: string
  /** Name of the Redis key, without the prefix of the owning service. */
  readonly name: string
}

/** Declares a Redis key that another service reads. `name`: without the prefix of the owner. */
export const sharedKey = (owner: string, name: string): SharedKey => ({ owner, name })
