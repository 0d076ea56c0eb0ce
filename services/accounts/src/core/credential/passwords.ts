/**
 * Hashes passwords with argon2id and a concurrency limit. A check for an unknown user costs the same as for a known
 * one.
 */
import { fail } from '@murmuration/contracts/kit'
import { createLimiter } from '@murmuration/flow'
import * as argon2 from '@node-rs/argon2'

export interface Passwords {
  /** Returns the digest of a password for storage, in PHC string format. */
  hash(password: string): Promise<string>
  /**
   * Compares a password with a stored digest. Null takes the same time and returns false, so that timing does not
   * reveal unknown users.
   */
  matches(stored: string | null, password: string): Promise<boolean>
}

/**
 * Parameters that OWASP recommends for argon2id: 19 MiB of memory, two passes, one lane. A hash takes about 20 ms of
 * CPU.
 */
const effort = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Maximum number of callers that wait until a password can be hashed. */
const MAX_WAITING = 50

/**
 * Unicode forms of a password to compare with a stored digest. Because keyboards compose accents differently, new digests are
 * computed from the NFC form. Older digests are computed from the text as typed.
 * The number of forms depends only on the password, so that unknown users take as long as known ones.
 */
const spellingsOf = (password: string): Set<string> =>
  new Set([password.normalize('NFC'), password, password.normalize('NFD')])

/**
 * Hashes at most `atOnce` passwords concurrently. While `MAX_WAITING` callers wait, a further caller gets a 503 error.
 * `hash`: replaces argon2 in tests.
 */
export const createPasswords = (options: { atOnce: number; hash?: typeof argon2.hash }): Passwords => {
  const { atOnce, hash = argon2.hash } = options
  const refuse = () =>
    fail('unavailable', 'There was a temporary problem serving your request, please try again', {
      cause: new Error('too many passwords are being checked'),
      retryAfter: 2,
    })
  const hashes = createLimiter({ concurrency: atOnce, queue: MAX_WAITING, refuse })
  let dummy: Promise<string> | undefined

  return {
    hash: (password) => hashes.run(() => hash(password.normalize('NFC'), effort)),
    async matches(stored, password) {
      // If the dummy digest for unknown users cannot be computed, the next check computes it again. Otherwise every
      // check of an unknown user would fail, which reveals that the user does not exist.
      dummy ??= hash('nobody has this password', effort)
      const made = dummy
      made.catch(() => {
        if (dummy === made) dummy = undefined
      })
      const digest = stored ?? (await made)
      for (const spelling of spellingsOf(password))
        if (await hashes.run(() => argon2.verify(digest, spelling).catch(() => false))) return stored !== null
      return false
    },
  }
}
