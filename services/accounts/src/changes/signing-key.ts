/** Signing keys of local accounts, made when somebody first asks for them. */
import type { Context } from '../context.js'
import { insertKeys, type KeyRow, keysOf } from '../store/key.js'

/** What a sealed private key is bound to. */
const about = (accountId: string): string => `signing key of ${accountId}`

/** Keys of these accounts, which must be local or the server's own; missing ones are made and stored. */
export const ensureKeys = async (
  ctx: Pick<Context, 'db' | 'clock' | 'seal' | 'keyPairs'>,
  ids: readonly string[],
): Promise<Map<string, KeyRow>> => {
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
        private_sealed: ctx.seal.close(pair.privatePem, about(id)),
      }
    }),
  )
  await insertKeys(ctx.db, fresh, ctx.clock.date())
  // Read again: another process may have been first, and everybody must sign with the same key.
  return new Map((await keysOf(ctx.db, ids)).map((row) => [row.account_id, row]))
}

export const openPrivateKey = (ctx: Pick<Context, 'seal'>, row: KeyRow): string =>
  ctx.seal.open(row.private_sealed, about(row.account_id))
