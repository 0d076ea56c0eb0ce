/** Handlers that show and remove second factors of a user. */
import { removeSecondFactor, showSecondFactor } from '@murmuration/contracts/accounts'
import { roleRequiresFactor } from '../core/role/store.js'
import { lockSignedIn, requirePassword, signedIn } from '../core/session/signed-in.js'
import { deleteOtherSessions } from '../core/session/store.js'
import { handle } from '../handlers.js'
import { writeMail } from '../mail/index.js'
import { countBackupCodes } from './backup-code.store.js'
import { codeContext } from './factors.js'
import { oneTimeCodeOf } from './one-time-code.store.js'
import { codeAddressOf } from './one-time-codes.js'
import { securityKeysOf } from './security-key.store.js'
import { removeFactors } from './use.js'

/** Time in milliseconds (15 minutes) in which an unconfirmed secret is shown again without a password. */
const PENDING_MS = 900_000

export const showFactor = handle(showSecondFactor, async (ctx, _viewer, { session }) => {
  const user = await signedIn(ctx, session)
  const [codes, keys, backupCodes, demanded] = await Promise.all([
    oneTimeCodeOf(ctx.db, user.user_id),
    securityKeysOf(ctx.db, user.user_id),
    countBackupCodes(ctx.db, user.user_id),
    roleRequiresFactor(ctx.db, user.user_id),
  ])
  const begun = codes && !codes.confirmed_at && ctx.clock.now() - codes.created_at.getTime() <= PENDING_MS
  const secret = begun ? ctx.secretCipher.decryptOrNull(codes.encrypted_secret, codeContext(user.user_id)) : null
  return {
    codesSince: codes?.confirmed_at?.toISOString() ?? null,
    pending:
      secret === null
        ? null
        : { secret, address: codeAddressOf(secret, { issuer: ctx.site.localDomain, label: user.username }) },
    keys: keys.map(({ id, name, created_at, used_at }) => ({
      id,
      name,
      created_at: created_at.toISOString(),
      used_at: used_at?.toISOString() ?? null,
    })),
    backupCodes,
    hasPassword: user.password_hash !== null,
    demanded,
  }
})

/** Removes all second factors of the signed-in user. */
export const removeFactor = handle(removeSecondFactor, async (ctx, _viewer, { session, password }) => {
  const user = await signedIn(ctx, session)
  await requirePassword(ctx, user, password)
  await ctx.db.tx(async (tx) => {
    await lockSignedIn(ctx, tx, session, user)
    if (!(await removeFactors(ctx, tx, user.user_id, 'self'))) return
    await deleteOtherSessions(tx, user.user_id, user.session_id)
    await writeMail(ctx, tx, user, 'second-factor-disabled')
  })
  return {}
})
