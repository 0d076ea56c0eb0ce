/** Encrypts signing keys and authenticator secrets again after a change of SECRET_KEY_BASE. */
import { renewAccountSecrets } from '@murmuration/contracts/accounts'
import { renewSecretPage } from '@murmuration/kernel'
import { handle } from '../handlers.js'
import { codeSecrets } from '../second-factor/index.js'
import { keySecrets } from '../signing-key/index.js'

export const renew = handle(renewAccountSecrets, (ctx, _viewer, { after, dry_run }) =>
  renewSecretPage(ctx.secretCipher, [...keySecrets(ctx.db), codeSecrets(ctx.db)], { after, dryRun: dry_run }),
)
