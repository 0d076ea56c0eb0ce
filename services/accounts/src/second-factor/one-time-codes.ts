/** Codes of an authenticator app: six digits for each half minute (RFC 6238), a step early or late counts too. */
import { Secret, TOTP } from 'otpauth'

const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const STEP_MS = 30_000

/** A fresh secret of 160 bits in base32, as people type it into an app. */
export const newCodeSecret = (): string => new Secret({ size: 20 }).base32

/** `otpauth:` address of a secret, for a QR code; the names are what the app lists it under. */
export const codeAddressOf = (secret: string, names: { issuer: string; label: string }): string =>
  new TOTP({ ...SHAPE, ...names, secret: Secret.fromBase32(secret) }).toString()

/** The time step a code belongs to; null when it is none of the three that count now. */
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
