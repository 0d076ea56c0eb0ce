/**
 * Signs and checks the tokens in URLs that cause a copy of a remote file. Without a signature, clients could make this
 * server fetch any URL (D057).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Kinds of files by the first letter of a token: remote attachment, its preview, remote picture, and the still image of
 * a picture.
 */
export const SUBJECTS = { a: 'attachment', t: 'preview', p: 'picture', s: 'still' } as const
export type SubjectLetter = keyof typeof SUBJECTS
export interface Token {
  readonly letter: SubjectLetter
  readonly id: string
}

const signature = (secret: string, name: string): string =>
  createHmac('sha256', secret).update(name).digest('hex').slice(0, 40)

/** Returns a signed token `p1234-<160 bits>`. The token fits into a URL path and into a key of the blob store. */
export const signToken = (secret: string, { letter, id }: Token): string =>
  `${letter}${id}-${signature(secret, `${letter}${id}`)}`

/** Parses a token. Null if this server did not sign the token. */
export const readToken = (secret: string, text: string): Token | null => {
  const match = /^(([atps])(\d{1,19}))-([0-9a-f]{40})$/.exec(text)
  if (!match) return null
  const [, name = '', letter, id = '', given = ''] = match
  return timingSafeEqual(Buffer.from(given), Buffer.from(signature(secret, name)))
    ? { letter: letter as SubjectLetter, id }
    : null
}
