/** Private keys of local accounts, for federation only. */
import { signingKey } from '@murmuration/contracts/accounts'
import { ensureKeys, openPrivateKey } from '../../changes/signing-key.js'
import { handle } from '../../doors.js'
import { keyHolders } from '../../store/key.js'

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
        return row ? [[id, { keyId, privatePem: openPrivateKey(ctx, row), publicPem: row.public_pem }]] : []
      }),
    ),
  }
})
