/** A key in Redis that one service writes and another one reads. */

export interface SharedKey {
  /** The service that writes it. */
  readonly owner: string
  /** Name below the prefix of the owner. */
  readonly name: string
}

export const sharedKey = (owner: string, name: string): SharedKey => ({ owner, name })
