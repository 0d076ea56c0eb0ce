/**
 * Operations about second factors of a login: authenticator app, backup codes, passkeys and security keys. For pages of
 * the gateway.
 */
import { z } from 'zod'
import { id, internal, operation } from '../kit/index.js'

const session = z.string().max(512)
/** Current password. Logins without a password need not send `password`. */
const password = z.string().max(2_000)
/** Backup codes, returned only once. */
const codes = z.array(z.string())
const at = z.string()

export const SecurityKey = z.object({ id: z.string(), name: z.string(), created_at: at, used_at: at.nullable() })
export type SecurityKey = z.infer<typeof SecurityKey>

/** Data for setting up an authenticator app: the secret as text, and the URI of the QR code. */
const setup = z.object({ secret: z.string(), address: z.string() })

export const showSecondFactor = operation('accounts.second-factor.show', {
  viewer: internal(),
  input: z.object({ session }),
  output: z.object({
    /** Time since when the user has an authenticator app; null without one. */
    codesSince: at.nullable(),
    /** Setup of an authenticator app that is not confirmed yet. */
    pending: setup.nullable(),
    keys: z.array(SecurityKey),
    backupCodes: z.int(),
    hasPassword: z.boolean(),
    /** True when the role of the account requires a second factor. */
    demanded: z.boolean(),
  }),
  errors: ['unauthenticated'],
  about: 'Second factors of a user.',
})

export const beginOneTimeCode = operation('accounts.one-time-code.begin', {
  viewer: internal(),
  class: 'login',
  input: z.object({ session, password }),
  output: setup,
  errors: ['unauthenticated', 'unprocessable', 'conflict'],
  about: 'Creates the secret of an authenticator app. It takes effect when a first code is confirmed.',
})

export const confirmOneTimeCode = operation('accounts.one-time-code.confirm', {
  viewer: internal(),
  class: 'login',
  input: z.object({ session, code: z.string().max(100) }),
  output: z.object({ /** New backup codes; null if the login had some already. */ backupCodes: codes.nullable() }),
  errors: ['unauthenticated', 'unprocessable'],
  about: 'Confirms an authenticator app by its first code. Every later sign-in requires a second factor.',
})

export const renewBackupCode = operation('accounts.backup-code.renew', {
  viewer: internal(),
  class: 'login',
  input: z.object({ session, password }),
  output: z.object({ backupCodes: codes }),
  errors: ['unauthenticated', 'unprocessable'],
  about: 'Creates ten backup codes. Previous ones become invalid.',
})

export const beginSecurityKey = operation('accounts.security-key.begin', {
  viewer: internal(),
  class: 'login',
  input: z.object({ session, password }),
  output: z.object({
    /** JSON text of `PublicKeyCredentialCreationOptions` for the browser (WebAuthn). */
    options: z.string(),
    /** Token to send with the response of the browser; valid once, for five minutes. */
    step: z.string(),
  }),
  errors: ['unauthenticated', 'unprocessable'],
  about: 'Options with which a browser registers a passkey or security key.',
})

export const addSecurityKey = operation('accounts.security-key.add', {
  viewer: internal(),
  class: 'login',
  input: z.object({
    session,
    step: z.string().max(512),
    name: z.string().max(200),
    /** JSON text of the credential that the browser created (WebAuthn). */
    credential: z.string().max(32_768),
  }),
  output: z.object({ backupCodes: codes.nullable() }),
  errors: ['unauthenticated', 'unprocessable'],
  about: 'Adds a passkey or security key. Every later sign-in requires a second factor.',
})

export const removeSecurityKey = operation('accounts.security-key.remove', {
  viewer: internal(),
  class: 'login',
  input: z.object({ session, password, id: id() }),
  output: z.object({}),
  errors: ['unauthenticated', 'unprocessable', 'not_found'],
  about: 'Removes a passkey or security key.',
})

export const removeSecondFactor = operation('accounts.second-factor.remove', {
  viewer: internal(),
  class: 'login',
  input: z.object({ session, password }),
  output: z.object({}),
  errors: ['unauthenticated', 'unprocessable'],
  about: 'Removes all second factors. The password alone is sufficient to sign in again.',
})
