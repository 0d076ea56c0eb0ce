/** Operations on queues: waiting messages of each service, and republishing of events. */
import { listQueues, replayEvent } from '@murmuration/contracts/admin'
import { KERNEL, OWNERS } from '@murmuration/contracts/kernel'
import { invalidField } from '@murmuration/contracts/kit'
import { record } from '../core/audit-log/record.js'
import { callOwners, ownerNamed, PATIENCE_MS } from '../core/call-kernels.js'
import { handle } from '../handlers.js'

export const list = handle(listQueues, async (ctx) => {
  const { found, unavailable } = await callOwners(ctx, OWNERS, (owner) =>
    ctx.call(KERNEL[owner].queues, { ages: true }, { timeoutMs: PATIENCE_MS }),
  )
  return { services: OWNERS.flatMap((owner) => found.get(owner) ?? []), unavailable }
})

export const replay = handle(replayEvent, async (ctx, viewer, { service, ids, from, to }) => {
  const owner = ownerNamed(service)
  if (owner === null) throw invalidField("Service can't be blank")
  if (ids.length === 0 && !from) throw invalidField("Ids can't be blank")
  const range = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
  // The audit log entry is stored first, so that no event is published again without an entry.
  await ctx.db.tx((tx) =>
    record(ctx, tx, viewer, { action: 'replay_events', targetId: null, target: owner, after: { ids, ...range } }),
  )
  return ctx.call(KERNEL[owner].replayEvents, { ids, ...range })
})
