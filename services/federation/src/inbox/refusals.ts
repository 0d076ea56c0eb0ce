/** Counts refused activities by reason, in memory for two seconds, so that a burst writes one row. */
import { type BaseContext, outsideRequest, tellRefusals } from '@murmuration/kernel'
import { addHostRefusals, addRefusals, type RefusalCount } from './refusal.store.js'

export interface Refusals {
  /** Counts a refusal; `host` is the host of the claimed actor, if any. */
  note(stage: RefusalCount['stage'], reason: string, host: string | null): void
  /** Logs an accepted activity that had no effect: one line for a host and minute. */
  tell(refusal: { host: string | null; reason: string | null; type?: string; actor?: string }): void
  /** Writes the collected counts. */
  flush(): Promise<void>
}

const GATHER_MS = 2_000
/** Bound for the number of reasons, which are few. */
const MOST = 500
/** Characters of a host; names in DNS have at most 253. */
const MOST_NAME = 260

/** Adds one under this key; ignores new keys above the bound. */
const addTo = (counts: Map<string, RefusalCount>, key: string, one: RefusalCount): void => {
  const known = counts.get(key)
  if (known) Object.assign(known, { count: known.count + 1, host: one.host ?? known.host, at: one.at })
  else if (counts.size < MOST) counts.set(key, one)
}

export const createRefusals = (ctx: Pick<BaseContext, 'db' | 'clock' | 'log' | 'onClose'>): Refusals => {
  let gathered = new Map<string, RefusalCount>()
  let ofHosts = new Map<string, RefusalCount>()
  let timer: NodeJS.Timeout | null = null
  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const [items, hosts] = [[...gathered.values()], [...ofHosts.values()]]
    gathered = new Map()
    ofHosts = new Map()
    if (items.length === 0) return
    // A failed write loses the counts, because it must not fail the delivery.
    const lost = (error: unknown) => ctx.log.warn({ error }, 'refusals were not counted')
    await addRefusals(ctx.db, items).catch(lost)
    if (hosts.length > 0) await addHostRefusals(ctx.db, hosts).catch(lost)
  }
  ctx.onClose('refusals', flush)
  const log = tellRefusals<{ host: string; reason: string; type?: string; actor?: string }>(
    ctx,
    'an accepted activity had no effect',
  )
  return {
    tell: ({ host, reason, ...more }) => log({ host: host ?? 'unknown', reason: reason ?? 'unknown', ...more }),
    note(stage, reason, host) {
      const at = ctx.clock.date()
      const key = `${at.toISOString().slice(0, 10)} ${stage} ${reason}`
      addTo(gathered, key, { stage, reason, count: 1, host, at })
      if (host !== null && host.length <= MOST_NAME)
        addTo(ofHosts, `${key} ${host}`, { stage, reason, count: 1, host, at })
      // Others have noted meanwhile, whose time does not end with this request.
      timer ??= outsideRequest(() => setTimeout(flush, GATHER_MS).unref())
    },
    flush,
  }
}
