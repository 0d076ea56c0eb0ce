/** Replaces signing keys of local accounts. The Update with the new key is signed with the old one. */
import { accountChanged, accountInvalidation, keyInvalidation } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { flagsOf } from '../core/account/record.js'
import { accountsByIds } from '../core/account/store.js'
import { decryptPrivateKey, encryptPrivateKey, ensureKeys } from './ensure.js'
import type { KeyPair } from './pairs.js'
import { keyHoldersAfter, replaceKeys } from './rotate.store.js'

/** Number of accounts whose keys one chunk of the task replaces. Generating a key pair takes about 100 ms. */
const CHUNK = 25

export interface NewKey extends KeyPair {
  /** The current private key, encrypted, if it is unreadable. It cannot sign the Update, so it is not kept. */
  readonly unreadable: string | null
}

/** Generates key pairs, outside of any transaction. */
export const newKeys = async (ctx: Context, ids: readonly string[]): Promise<Map<string, NewKey>> => {
  // An account that never signed an activity has no key yet. Such an account gets its first key here, which is then replaced.
  const known = await ensureKeys(ctx, ids)
  const pairs = await Promise.all(ids.map(() => ctx.keyPairs.take()))
  return new Map(
    ids.map((id, n) => {
      const row = known.get(id)
      const unreadable = row && decryptPrivateKey(ctx, row) === null ? row.encrypted_private_pem : null
      return [id, { ...(pairs[n] as KeyPair), unreadable }]
    }),
  )
}

/** Stores new keys, and announces the changed profiles. */
export const rotateKeys = async (ctx: Context, tx: Tx, pairs: ReadonlyMap<string, NewKey>): Promise<void> => {
  const ids = [...pairs.keys()]
  if (ids.length === 0) return
  const rows = [...pairs].map(([account_id, pair]) => ({
    account_id,
    public_pem: pair.publicPem,
    encrypted_private_pem: encryptPrivateKey(ctx, account_id, pair.privatePem),
    unreadable: pair.unreadable,
  }))
  await replaceKeys(tx, rows, ctx.clock.date())
  const accounts = await accountsByIds(tx, ids)
  await ctx.announce(
    tx,
    accountChanged,
    ...accounts.map((account) => ({ id: account.id, flags: flagsOf(account), profile: true })),
  )
  tx.onCommit(() => {
    ctx.invalidations.send(keyInvalidation, ids)
    ctx.invalidations.send(accountInvalidation, ids)
  })
}

export interface RotateInput {
  /** Seconds between two chunks of the task. */
  delay: number
}

export const rotateKind = taskKind<Context>()<RotateInput, Map<string, NewKey>>({
  name: 'rotate-keys',
  permission: 'administrator',
  act: () => ({ action: 'rotate_keys_accounts', target: '' }),
  prepare: async (ctx, { after }) => newKeys(ctx, await keyHoldersAfter(ctx.db, after, CHUNK)),
  async apply(ctx, tx, { input }, pairs) {
    await rotateKeys(ctx, tx, pairs)
    return {
      next: pairs.size < CHUNK ? null : ([...pairs.keys()].at(-1) ?? null),
      seen: pairs.size,
      changed: pairs.size,
      ...(input.delay > 0 && { pauseMs: input.delay * 1_000 }),
    }
  },
})
