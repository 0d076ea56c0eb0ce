/** Returns signing keys of local accounts. Creates a key when it is requested for the first time. */
import type { Context } from '../context.js'
import { insertKeys, keysOf, type RotatedKeyRow } from './store.js'

/** Additional authenticated data for the encryption of a private key: it contains the account id. */
export const keyContext = (accountId: string): string => `signing key of ${accountId}`

/**
 * Keys of the accounts in `ids`, which must be local accounts or the instance actor. If an account has no key, one is
 * created and stored.
 */
export const ensureKeys = async (
  ctx: Pick<Context, 'db' | 'clock' | 'secretCipher' | 'keyPairs'>,
  ids: readonly string[],
): Promise<Map<string, RotatedKeyRow>> => {
  const known = await keysOf(ctx.db, ids)
  const have = new Set(known.map((row) => row.account_id))
  const lacking = ids.filter((id) => !have.has(id))
  if (lacking.length === 0) return new Map(known.map((row) => [row.account_id, row]))
  const fresh = await Promise.all(
    lacking.map(async (id) => {
      const pair = await ctx.keyPairs.take()
      return {
        account_id: id,
        public_pem: pair.publicPem,
        encrypted_private_pem: encryptPrivateKey(ctx, id, pair.privatePem),
      }
    }),
  )
  await insertKeys(ctx.db, fresh, ctx.clock.date())
  // The keys are read again, because another process may have stored different keys for the same accounts, and all
  // processes must use the same keys.
  return new Map((await keysOf(ctx.db, ids)).map((row) => [row.account_id, row]))
}

/** Encrypts a private key for storage. */
export const encryptPrivateKey = (ctx: Pick<Context, 'secretCipher'>, accountId: string, privatePem: string): string =>
  ctx.secretCipher.encrypt(privatePem, keyContext(accountId))

/** Decrypts a private key; null if it is unreadable, which is logged. */
export const decryptPrivateKey = (
  ctx: Pick<Context, 'secretCipher'>,
  row: { account_id: string; encrypted_private_pem: string },
): string | null => ctx.secretCipher.decryptOrNull(row.encrypted_private_pem, keyContext(row.account_id))
