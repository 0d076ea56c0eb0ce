/** Starts the task that encrypts all stored secrets again. */
import { adminTasks, renewSecrets } from '@murmuration/contracts/admin'
import { startTask } from '@murmuration/kernel'
import { handle } from '../handlers.js'
import { renewSecretsKind } from './renew.js'

export const renew = handle(renewSecrets, (ctx, by, { dry_run }) =>
  startTask(ctx, adminTasks, renewSecretsKind, { by, input: {}, dryRun: dry_run }),
)
