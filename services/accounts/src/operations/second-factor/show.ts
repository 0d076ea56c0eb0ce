/** Which second factors a person has, and an app that is being set up. */
import { secondFactorShow } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { holderDemandsFactor } from '../../role/index.js'
import { codeAddressOf } from '../../secrets/one-time-codes.js'
import { countBackupCodes } from '../../store/backup-code.js'
import { oneTimeCodeOf } from '../../store/one-time-code.js'
import { securityKeysOf } from '../../store/security-key.js'
import { codePlace } from '../../views/second-factor.js'
import { signedIn } from '../../views/signed-in.js'

/** A secret that was begun is shown again this long; it was given for a password. */
const PENDING_MS = 900_000

export const showSecondFactor = handle(secondFactorShow, async (ctx, _viewer, { session }) => {
  const person = await signedIn(ctx, session)
  const [codes, keys, backupCodes, demanded] = await Promise.all([
    oneTimeCodeOf(ctx.db, person.user_id),
    securityKeysOf(ctx.db, person.user_id),
    countBackupCodes(ctx.db, person.user_id),
    holderDemandsFactor(ctx.db, person.user_id),
  ])
  const begun = codes && !codes.confirmed_at && ctx.clock.now() - codes.created_at.getTime() <= PENDING_MS
  const secret = begun ? ctx.seal.open(codes.secret_sealed, codePlace(person.user_id)) : null
  return {
    codesSince: codes?.confirmed_at?.toISOString() ?? null,
    pending:
      secret === null
        ? null
        : { secret, address: codeAddressOf(secret, { issuer: ctx.site.localDomain, label: person.username }) },
    keys: keys.map(({ id, name, created_at, used_at }) => ({
      id,
      name,
      created_at: created_at.toISOString(),
      used_at: used_at?.toISOString() ?? null,
    })),
    backupCodes,
    hasPassword: person.password_hash !== null,
    demanded,
  }
})
