/** Decides whether an authorization code may be exchanged: client, redirect URI, expiry and PKCE verifier must match. */
import { createHash, timingSafeEqual } from 'node:crypto'

export interface StoredCode {
  application_id: string
  redirect_uri: string
  challenge: string | null
  expires_at: Date
}

/**
 * Whether a PKCE verifier matches its challenge, with S256 (RFC 7636 section 4.6). A verifier without a challenge is
 * refused, too.
 */
export const provesChallenge = (challenge: string | null, verifier: string | undefined): boolean => {
  if (challenge === null) return verifier === undefined || verifier === ''
  if (!verifier || !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const expected = Buffer.from(challenge)
  return made.length === expected.length && timingSafeEqual(made, expected)
}

export const fitsCode = (
  code: StoredCode,
  request: {
    applicationId: string
    redirectUri: string | undefined
    verifier: string | undefined
    now: number
  },
): boolean =>
  code.application_id === request.applicationId &&
  code.redirect_uri === request.redirectUri &&
  code.expires_at.getTime() > request.now &&
  provesChallenge(code.challenge, request.verifier)
