/** Verifies and removes second factors. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { logCredentialChange } from '../core/credential/security-log.js'
import { typedBackupCode } from './backup-code.rules.js'
import { replaceBackupCodes, takeBackupCode } from './backup-code.store.js'
import { backupDigest } from './backup-codes.js'
import { codeContext, type Factors, factorsOf, relyingParty } from './factors.js'
import { deleteOneTimeCode, takeStep } from './one-time-code.store.js'
import { stepOfCode } from './one-time-codes.js'
import { proveKnownKey } from './passkeys.js'
import { deleteSecurityKeys, recordKeyUse } from './security-key.store.js'

/** Uses a code of the authenticator app, or a backup code, once. Returns the kind of the code, or null if the code is neither. */
export const takeCode = async (
  ctx: Pick<Context, 'tokens' | 'secretCipher' | 'clock'>,
  tx: Tx,
  userId: string,
  factors: Factors,
  typed: string,
): Promise<'code' | 'backup-code' | null> => {
  const backup = typedBackupCode(typed)
  if (backup !== null)
    return (await takeBackupCode(tx, userId, backupDigest(ctx, userId, backup))) ? 'backup-code' : null
  const encrypted = factors.codes
  if (encrypted === null) return null
  const secret = ctx.secretCipher.decryptOrNull(encrypted, codeContext(userId))
  const step = secret === null ? null : stepOfCode(secret, typed, ctx.clock.now())
  return step !== null && (await takeStep(tx, userId, { encrypted, step })) ? 'code' : null
}

/** Verifies the response of a key to a challenge, and stores its counter. */
export const takeKey = async (
  ctx: Pick<Context, 'site' | 'policy' | 'clock'>,
  tx: Tx,
  factors: Factors,
  challenge: string,
  credential: string,
): Promise<boolean> => {
  const proved = await proveKnownKey(relyingParty(ctx), challenge, factors.keys, credential)
  return proved !== null && recordKeyUse(tx, proved.key.id, proved.signCount, ctx.clock.date())
}

/** Removes all second factors of a user; false if there were none. */
export const removeFactors = async (
  ctx: Pick<Context, 'log'>,
  tx: Tx,
  userId: string,
  by: 'self' | 'staff' | 'operator',
): Promise<boolean> => {
  const gone = (await deleteOneTimeCode(tx, userId)) + (await deleteSecurityKeys(tx, userId))
  await replaceBackupCodes(tx, userId, [])
  if (gone > 0) logCredentialChange(ctx, tx, userId, { message: 'a second factor was removed', kind: 'all', by })
  return gone > 0
}

/** Removes backup codes if the user has no second factor any longer. */
export const dropUselessCodes = async (tx: Tx, userId: string): Promise<void> => {
  if ((await factorsOf(tx, userId)) === null) await replaceBackupCodes(tx, userId, [])
}
