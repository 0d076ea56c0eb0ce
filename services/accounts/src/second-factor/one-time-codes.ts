/**
 * Creates secrets of authenticator apps, and verifies their codes: six digits per 30 seconds (RFC 6238). Codes of the
 * previous and the next 30 seconds are accepted, too.
 */
import { Secret, TOTP } from 'otpauth'

const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const STEP_MS = 30_000

/** Returns a new secret for an authenticator app: 160 bits in base32. */
export const newCodeSecret = (): string => new Secret({ size: 20 }).base32

/** `otpauth:` URL of a secret, for a QR code. The authenticator app shows the names of the server and the user. */
export const codeAddressOf = (secret: string, names: { issuer: string; label: string }): string =>
  new TOTP({ ...SHAPE, ...names, secret: Secret.fromBase32(secret) }).toString()

/** The time step of a code. Null for codes of other steps than the previous, present or next one. */
export const stepOfCode = (secret: string, code: string, now: number): number | null => {
  const digits = code.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(digits)) return null
  const delta = new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret) }).validate({
    token: digits,
    timestamp: now,
    window: 1,
  })
  return delta === null ? null : Math.floor(now / STEP_MS) + delta
}
