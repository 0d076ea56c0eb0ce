/** Passwords: argon2id, a few at a time, with the same effort for people who do not exist. */
import { fail } from '@murmuration/contracts/kit'
import * as argon2 from '@node-rs/argon2'

export interface Passwords {
  /** The digest to store, in PHC form. */
  hash(password: string): Promise<string>
  /** Compares with a stored digest. Null costs the same time and is never right, so that unknown names do not show. */
  matches(stored: string | null, password: string): Promise<boolean>
}

/** OWASP's first choice for argon2id, which is the library's usual algorithm: 19 MiB, two passes, one lane; 20 ms of CPU. */
const effort = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const MOST_WAITING = 50

/**
 * The spellings in which a password may have been stored. Keyboards compose accents differently, so that digests are of NFC;
 * older ones are of what was typed. Depends on the password alone, so that unknown names take as long.
 */
const spellingsOf = (password: string): Set<string> =>
  new Set([password.normalize('NFC'), password, password.normalize('NFD')])

/** Runs at most `atOnce` hashes together. While 50 wait, further callers are refused at once. `hash` is the library's, except in tests. */
export const createPasswords = (options: { atOnce: number; hash?: typeof argon2.hash }): Passwords => {
  const { atOnce, hash = argon2.hash } = options
  let running = 0
  const waiting: (() => void)[] = []
  let dummy: Promise<string> | undefined

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= MOST_WAITING)
        throw fail('unavailable', 'There was a temporary problem serving your request, please try again', {
          cause: new Error('too many passwords are being checked'),
          retryAfter: 2,
        })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // The place goes straight to the next in line, so that nobody overtakes.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password.normalize('NFC'), effort)),
    async matches(stored, password) {
      // A failure is not kept: it would tell unknown names from known ones for as long as the process lives.
      dummy ??= hash('nobody has this password', effort)
      const made = dummy
      made.catch(() => {
        if (dummy === made) dummy = undefined
      })
      const digest = stored ?? (await made)
      for (const spelling of spellingsOf(password))
        if (await inTurn(() => argon2.verify(digest, spelling).catch(() => false))) return stored !== null
      return false
    },
  }
}
