/** Reasons why nothing was sent of a status or its boosts. */
import type { NoDeliveryReason } from '@murmuration/contracts/federation'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import { statusThing } from '../core/compaction.rules.js'

/** A status, and the boosts of it by local accounts. */
export interface StatusFamily {
  original: StatusRecord | null
  boosts: readonly StatusRecord[]
  moreBoosts: boolean
}

/** Reasons that apply to every local status. */
const COMMON: readonly NoDeliveryReason[] = ['no-recipients', 'blocked', 'author-suspended', 'not-processed']

/** One host of which the reasons are requested. */
export interface OneHost {
  blocked: boolean
  /** An activity about the address is stored. */
  isKnown: boolean
  /** There are activities whose deliveries are no longer stored. */
  folded: boolean
}

/** A blocked host needs no other reason. */
const reasonsOf = (host: OneHost | null): readonly NoDeliveryReason[] => {
  if (host === null) return COMMON
  if (host.blocked) return ['blocked']
  return ['not-addressed', 'author-suspended', 'not-processed', ...(host.folded ? (['not-kept'] as const) : [])]
}

/**
 * Statuses that were not sent, and the possible reasons; empty when all were. `sent` has ids of statuses. With `host`, both
 * are about deliveries to that host.
 */
export const nothingSent = (
  family: StatusFamily | null,
  sent: ReadonlySet<string>,
  host: OneHost | null = null,
): { unsent?: string[]; reasons?: NoDeliveryReason[] } => {
  const common = reasonsOf(host)
  const unknown = host?.isKnown ? [] : (['unknown'] as const)
  if (family === null) return sent.size > 0 ? {} : { reasons: [...unknown, ...common] }
  const all = [...(family.original === null ? [] : [family.original]), ...family.boosts]
  const unsent = all.filter((it) => it.local && !it.deleted && !sent.has(statusThing(it.uri)))
  if (unsent.length === 0 && sent.size > 0) return {}
  const reasons: NoDeliveryReason[] = [
    ...(family.original?.local === false ? (['remote'] as const) : []),
    ...(unsent.some((it) => it.visibility === 'private' || it.visibility === 'direct')
      ? (['not-public'] as const)
      : []),
    ...(all.some((it) => it.local) ? common : []),
  ]
  return {
    ...(unsent.length > 0 && { unsent: unsent.map((it) => it.uri) }),
    ...(reasons.length > 0 && { reasons }),
  }
}
