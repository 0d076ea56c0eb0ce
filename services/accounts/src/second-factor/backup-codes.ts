/** Creates backup codes. The database contains only digests of the codes. */
import { randomBytes } from 'node:crypto'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { logCredentialChange } from '../core/credential/security-log.js'
import { BACKUP_CODES, backupCodeOf } from './backup-code.rules.js'
import { countBackupCodes, replaceBackupCodes } from './backup-code.store.js'

/** Digest of a code. The digest contains the user id, so that equal codes of two users have different digests. */
export const backupDigest = (ctx: Pick<Context, 'tokens'>, userId: string, code: string): Buffer =>
  ctx.tokens.digest(`backup code ${userId} ${code}`)

export const renewBackupCodes = async (
  ctx: Pick<Context, 'tokens' | 'log'>,
  tx: Tx,
  userId: string,
): Promise<string[]> => {
  const codes = Array.from({ length: BACKUP_CODES }, () => backupCodeOf(randomBytes(10)))
  await replaceBackupCodes(
    tx,
    userId,
    codes.map((code) => backupDigest(ctx, userId, code)),
  )
  logCredentialChange(ctx, tx, userId, { message: 'backup codes were made' })
  return codes
}

/** Backup codes for a user's first second factor. Null if the user has codes already. */
export const firstBackupCodes = async (
  ctx: Pick<Context, 'tokens' | 'log'>,
  tx: Tx,
  userId: string,
): Promise<string[] | null> => ((await countBackupCodes(tx, userId)) > 0 ? null : renewBackupCodes(ctx, tx, userId))
