/** `GET /api/v1/statuses/:id/deliveries`: on how many other servers a status arrived, for its author and for staff. */

import { deliveryOfStatus } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { can } from '@murmuration/contracts/permissions'
import { statusRecords } from '@murmuration/contracts/statuses'
import { statusThing } from '../../domain/compaction.js'
import { handle } from '../../doors.js'
import { foldedServersOf, serversOf } from '../../store/delivery-report.js'

export const ofStatus = handle(deliveryOfStatus, async (ctx, viewer, { id }) => {
  const [status] = (await ctx.call(statusRecords, { ids: [id] })).records
  const isStaff = can(viewer.permissions, 'manage_federation')
  if (status === undefined || status.deleted || !status.local || (status.author !== viewer.id && !isStaff))
    throw notFound()
  const about = statusThing(status.uri)
  const servers = await serversOf(ctx.db, about)
  const folded = servers.length === 0 ? await foldedServersOf(ctx.db, about) : null
  const count = (state: (typeof servers)[number]['state']) => servers.filter((it) => it.state === state).length
  return folded === null
    ? {
        servers: servers.length,
        delivered: count('delivered'),
        pending: count('pending'),
        failed: count('failed'),
        hosts: isStaff ? servers : null,
      }
    : {
        servers: folded.hosts,
        delivered: folded.reached,
        pending: 0,
        failed: Math.max(0, folded.hosts - folded.reached),
        hosts: isStaff ? [] : null,
      }
})
