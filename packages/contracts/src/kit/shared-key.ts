/** A key in Redis that one service writes and another one reads. */

export interface SharedKey {
  /** Name of the service that writes the key. */
  readonly owner: string
  /** Name of the key, without the prefix of the owner. */
  readonly name: string
}

export const sharedKey = (owner: string, name: string): SharedKey => ({ owner, name })
