/** Encrypts the tokens of push subscriptions again after a change of SECRET_KEY_BASE. */
import { renewPushSecrets } from '@murmuration/contracts/notifications'
import { renewSecretPage } from '@murmuration/kernel'
import { handle } from '../handlers.js'
import { tokenSecrets } from './secret.store.js'

export const renew = handle(renewPushSecrets, (ctx, _viewer, { after, dry_run }) =>
  renewSecretPage(ctx.secretCipher, [tokenSecrets(ctx.db)], { after, dryRun: dry_run }),
)
