/** Handlers of the maintenance of stored files. */

import { invalidField, notFound } from '@murmuration/contracts/kit'
import {
  deletePictures as deletePicturesOperation,
  lookupMedia,
  mediaTasks,
  mediaUsage,
  refreshMedia,
  removeMedia,
  removeOrphanedMedia,
} from '@murmuration/contracts/media'
import { idFloor, startTask } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import { handle } from '../handlers.js'
import { lookUp } from './lookup.js'
import { orphansKind } from './orphans.js'
import { refreshKind } from './refresh.js'
import { deletePictures, removeKind } from './remove.js'
import { usageKind } from './usage.js'

const DAY_MS = 86_400_000

export const usage = handle(mediaUsage, (ctx, by) =>
  startTask(ctx, mediaTasks, usageKind, { by, input: {}, dryRun: true }),
)

export const remove = handle(removeMedia, (ctx, by, { days, dry_run }) => {
  const before = new Date(ctx.clock.now() - days * DAY_MS).toISOString()
  return startTask(ctx, mediaTasks, removeKind, { by, input: { before, days }, dryRun: dry_run })
})

export const removeOrphans = handle(removeOrphanedMedia, (ctx, by, { dry_run }) =>
  startTask(ctx, mediaTasks, orphansKind, { by, input: {}, dryRun: dry_run }),
)

export const refresh = handle(refreshMedia, (ctx, by, input) => {
  const { status_id, account_id, days, force, dry_run } = input
  const domain = input.domain ? normaliseDomain(input.domain) : null
  if (input.domain && domain === null) throw invalidField('Domain is not a valid domain name')
  const scopes = [
    status_id && `status ${status_id}`,
    account_id && `account ${account_id}`,
    domain,
    days !== undefined && `${days} days`,
  ].filter((one) => !!one)
  if (scopes.length === 0) throw invalidField('Give status_id, account_id, domain or days')
  const since = days === undefined ? '0' : idFloor(ctx.clock.now() - days * DAY_MS)
  return startTask(ctx, mediaTasks, refreshKind, {
    by,
    input: {
      status: status_id ?? null,
      owner: account_id ?? null,
      domain,
      since,
      force,
      scope: scopes.join(', '),
    },
    dryRun: dry_run,
  })
})

export const lookup = handle(lookupMedia, async (ctx, _viewer, { url }) => {
  const found = await lookUp(ctx, url)
  if (!found) throw notFound()
  // An emoji of this server has no owner besides the server.
  const isOwnEmoji = found.kind === 'emoji' && found.remote_url === null
  return { ...found, owner: isOwnEmoji ? null : found.owner }
})

export const deleteMatching = handle(deletePicturesOperation, (ctx, _viewer, input) => deletePictures(ctx, input))
