/** Token of a hashtag in bus subjects. */
import { createHash } from 'node:crypto'

/**
 * Length in bytes up to which the token contains the hashtag name itself; for a longer name it contains a digest. A
 * NATS server closes connections that send a subject above 4,096 characters, and NFKC makes a name up to 18 times as
 * long.
 */
const MAX_BYTES = 512

/**
 * The token of a normalised tag name: base64url, because names may have characters that subjects do not allow. A long name has
 * a digest with the prefix `~`, which base64url does not contain.
 */
export const tagToken = (name: string): string => {
  const bytes = Buffer.from(name)
  return bytes.length <= MAX_BYTES
    ? bytes.toString('base64url')
    : `~${createHash('sha256').update(bytes).digest('base64url')}`
}
