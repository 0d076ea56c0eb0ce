/** Ten new backup codes; only their digests are kept. */
import { randomBytes } from 'node:crypto'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { logCredentialChange } from '../core/security-log.js'
import { BACKUP_CODES, backupCodeOf } from './backup-code.rules.js'
import { countBackupCodes, replaceBackupCodes } from './backup-code.store.js'

/** Bound to the person, so that equal digests say nothing. */
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

/** The codes that come with a first second factor; null for who has some. */
export const firstBackupCodes = async (
  ctx: Pick<Context, 'tokens' | 'log'>,
  tx: Tx,
  userId: string,
): Promise<string[] | null> => ((await countBackupCodes(tx, userId)) > 0 ? null : renewBackupCodes(ctx, tx, userId))
