/** Possible reasons why a status or its reblogs were not sent. */
import type { NoDeliveryReason } from '@murmuration/contracts/federation'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import { statusThing } from '../core/compaction.rules.js'

/** A status, and its reblogs by local accounts. `moreBoosts`: there are more than listed. */
export interface StatusFamily {
  /** The status or reblog of the address. */
  named: StatusRecord
  original: StatusRecord | null
  boosts: readonly StatusRecord[]
  moreBoosts: boolean
}

/** Reasons that are possible for every local status. */
const COMMON: readonly NoDeliveryReason[] = ['no-recipients', 'blocked', 'author-suspended', 'not-processed']

/** Facts about the one host that the request names. */
export interface OneHost {
  blocked: boolean
  /** True if an activity about the address is stored. */
  isKnown: boolean
  /** True if some activities are folded, so that their deliveries are no longer stored. */
  folded: boolean
}

/** Possible reasons for a host; null: for all hosts. For a blocked host, the block is the only reason. */
const reasonsOf = (host: OneHost | null): readonly NoDeliveryReason[] => {
  if (host === null) return COMMON
  if (host.blocked) return ['blocked']
  return ['not-addressed', 'author-suspended', 'not-processed', ...(host.folded ? (['not-kept'] as const) : [])]
}

/**
 * URIs of statuses that were not sent, and the possible reasons; empty if all were sent.
 *
 * `sent`: URIs of statuses with deliveries. With `host`, `sent` and the result are about that host.
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
  const unsent = all.filter((it) => it.local && !sent.has(statusThing(it.uri)))
  if (unsent.length === 0 && sent.size > 0) return {}
  const living = unsent.filter((it) => !it.deleted)
  const reasons: NoDeliveryReason[] = [
    ...(family.named.local ? [] : (['remote'] as const)),
    ...(living.length < unsent.length ? (['ended'] as const) : []),
    ...(living.some((it) => it.visibility === 'private' || it.visibility === 'direct')
      ? (['not-public'] as const)
      : []),
    ...(living.length > 0 ? common : []),
  ]
  return {
    ...(unsent.length > 0 && { unsent: unsent.map((it) => it.uri) }),
    ...(reasons.length > 0 && { reasons }),
  }
}
