/** Counts refused activities by reason and host. Counts are collected in memory for `COLLECT_MS` and written together. */
import { type BaseContext, logRefusals, outsideRequest } from '@murmuration/kernel'
import { addHostRefusals, addRefusals, type RefusalCount } from './refusal.store.js'

export interface Refusals {
  /** Counts a refusal; `host` is the host of the claimed actor, if any. */
  count(stage: RefusalCount['stage'], reason: string, host: string | null): void
  /** Logs an activity that got 202 and had no effect. At most one line per host and minute. */
  log(refusal: { host: string | null; reason: string | null; type?: string; actor?: string }): void
  /** Writes the collected counts of refusals to the database. */
  flush(): Promise<void>
}

const COLLECT_MS = 2_000
/** Maximum number of counts in memory. There are few reasons, but a request can name any host. */
const MAX_KEYS = 500
/** Maximum number of characters of a host. A DNS name has at most 253; the rest is for a port. */
const MAX_NAME = 260

/** Adds one refusal to the count with this key. Above `MAX_KEYS` counts, refusals with a new key are ignored. */
const addTo = (counts: Map<string, RefusalCount>, key: string, one: RefusalCount): void => {
  const known = counts.get(key)
  if (known) Object.assign(known, { count: known.count + 1, host: one.host ?? known.host, at: one.at })
  else if (counts.size < MAX_KEYS) counts.set(key, one)
}

export const createRefusals = (ctx: Pick<BaseContext, 'db' | 'clock' | 'log' | 'onClose'>): Refusals => {
  let collected = new Map<string, RefusalCount>()
  let ofHosts = new Map<string, RefusalCount>()
  let timer: NodeJS.Timeout | null = null
  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const [items, hosts] = [[...collected.values()], [...ofHosts.values()]]
    collected = new Map()
    ofHosts = new Map()
    if (items.length === 0) return
    // A failed write is logged and its counts are lost, because counting must not fail a delivery.
    const lost = (error: unknown) => ctx.log.warn({ error }, 'refusals were not counted')
    await addRefusals(ctx.db, items).catch(lost)
    if (hosts.length > 0) await addHostRefusals(ctx.db, hosts).catch(lost)
  }
  ctx.onClose('refusals', flush)
  const writeLine = logRefusals<{ host: string; reason: string; type?: string; actor?: string }>(
    ctx,
    'an accepted activity had no effect',
  )
  return {
    log: ({ host, reason, ...more }) => writeLine({ host: host ?? 'unknown', reason: reason ?? 'unknown', ...more }),
    count(stage, reason, host) {
      const at = ctx.clock.date()
      const key = `${at.toISOString().slice(0, 10)} ${stage} ${reason}`
      addTo(collected, key, { stage, reason, count: 1, host, at })
      if (host !== null && host.length <= MAX_NAME)
        addTo(ofHosts, `${key} ${host}`, { stage, reason, count: 1, host, at })
      // The timer runs outside the deadline of this request, because it also writes counts of other requests.
      timer ??= outsideRequest(() => setTimeout(flush, COLLECT_MS).unref())
    },
    flush,
  }
}
