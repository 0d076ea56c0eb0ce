/** Handler that starts the deletion of all accounts. */
import { accountTasks, selfDestruct } from '@murmuration/contracts/accounts'
import { invalidField } from '@murmuration/contracts/kit'
import { startTask } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import { handle } from '../doors.js'
import { selfDestructKind } from './destroy.js'

export const begin = handle(selfDestruct, (ctx, by, { domain, dry_run }) => {
  const own = normaliseDomain(ctx.site.localDomain)
  if (own === null || normaliseDomain(domain) !== own) throw invalidField('Domain must be the domain of this server')
  return startTask(ctx, accountTasks, selfDestructKind, { by, input: { domain: own }, dryRun: dry_run })
})
