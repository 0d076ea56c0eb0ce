/** A key in Redis that one service owns and another one reads. */

export interface SharedKey {
  /** The service that writes it. */
  readonly owner: string
  /** Name below the owner. */
  readonly name: string
}

export const sharedKey = (owner: string, name: string): SharedKey => ({ owner, name })
