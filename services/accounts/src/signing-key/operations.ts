/** Handlers that read and replace signing keys of local accounts. */
import {
  accountTasks,
  rotateAllKeys,
  rotateKeys as rotateKeysOperation,
  signingKey,
} from '@murmuration/contracts/accounts'
import { startTask } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { changeUser } from '../user/index.js'
import { decryptPrivateKey, ensureKeys } from './ensure.js'
import { newKeys, rotateKeys, rotateKind } from './rotate.js'
import { keyHolders, type RotatedKeyRow } from './store.js'

/**
 * Time in milliseconds (7 days) in which the previous key is returned, too. The previous key signs the Update with the
 * new key.
 */
const ROTATION_MS = 7 * 86_400_000

const previousOf = (ctx: Context, row: RotatedKeyRow): { previousPem?: string } => {
  const { account_id, encrypted_previous_pem, rotated_at } = row
  if (encrypted_previous_pem === null || rotated_at === null) return {}
  if (ctx.clock.now() - rotated_at.getTime() > ROTATION_MS) return {}
  const previousPem = decryptPrivateKey(ctx, { account_id, encrypted_private_pem: encrypted_previous_pem })
  return previousPem === null ? {} : { previousPem }
}

export const getSigningKeys = handle(signingKey, async (ctx, _viewer, { ids }) => {
  const holders = await keyHolders(ctx.db, ids, ctx.clock.now())
  const keys = await ensureKeys(
    ctx,
    holders.map((one) => one.id),
  )
  return {
    keys: Object.fromEntries(
      holders.flatMap(({ id, uri }) => {
        const row = keys.get(id)
        const keyId = `${uri ?? `${ctx.site.origin}/actor`}#main-key`
        const privatePem = row ? decryptPrivateKey(ctx, row) : null
        // An account with an unreadable key is left out, so that it does not delay deliveries of other accounts.
        if (!row || privatePem === null) return []
        return [[id, { keyId, privatePem, publicPem: row.public_pem, ...previousOf(ctx, row) }]]
      }),
    ),
  }
})

/** Replaces the signing key of an account. */
export const rotate = handle(rotateKeysOperation, async (ctx, viewer, { id }) => {
  // Checks the rank of the staff member before a key is generated.
  await changeUser(ctx, viewer, id, async () => ({ act: null, result: null }))
  const pairs = await newKeys(ctx, [id])
  await changeUser(ctx, viewer, id, async (tx) => {
    await rotateKeys(ctx, tx, pairs)
    return { act: { action: 'rotate_keys_user' }, result: null }
  })
  return {}
})

export const rotateAll = handle(rotateAllKeys, (ctx, by, { delay }) =>
  startTask(ctx, accountTasks, rotateKind, { by, input: { delay }, dryRun: false }),
)
