/** Possible reasons why a status or its reblogs were not sent. */
import type { NoDeliveryReason } from '@murmuration/contracts/federation'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import { statusUriOf } from '../core/activity/compaction.rules.js'

/** The status at an address, with its original and reblogs. */
export interface StatusFamily {
  /** The status or reblog at the address that staff entered. */
  named: StatusRecord
  original: StatusRecord | null
  /** The original and its reblogs by local accounts; or only the reblogs by the account that the request names. */
  listed: readonly StatusRecord[]
  /** `moreBoosts`: there are more reblogs than listed. */
  moreBoosts: boolean
  /** True if only reblogs by one account were requested. */
  isByAccount: boolean
}

/** Reasons for which any local status may not have been sent. */
const COMMON: readonly NoDeliveryReason[] = ['no-recipients', 'blocked', 'author-suspended', 'not-processed']

/** State of the hosts that the request names. */
export interface OneHost {
  /** True if all hosts that the request names are blocked, or if the domain that it names is blocked. */
  blocked: boolean
  /** True if some activities are folded, so that their deliveries are no longer stored. */
  folded: boolean
}

/**
 * Possible reasons why a status was not sent to a host; null: to all hosts. For a blocked host, the block is the only
 * reason.
 */
const reasonsOf = (host: OneHost | null): readonly NoDeliveryReason[] => {
  if (host === null) return COMMON
  if (host.blocked) return ['blocked']
  return ['not-addressed', 'author-suspended', 'not-processed', ...(host.folded ? (['not-kept'] as const) : [])]
}

/**
 * URIs of statuses that were not sent, and the possible reasons; empty if all were sent.
 *
 * `sent`: URIs of statuses with deliveries. With `host`, `sent` and the result are about that host. `isKnown`: an activity about
 * the address is stored.
 */
export const noDeliveryReasonOf = (
  family: StatusFamily | null,
  sent: ReadonlySet<string>,
  { host, isKnown }: { host: OneHost | null; isKnown: boolean },
): { unsent?: string[]; reasons?: NoDeliveryReason[] } => {
  const common = reasonsOf(host)
  // A status or activity at an unknown address has no known recipients and no known author, so the other reasons do not
  // apply.
  if (family === null && !isKnown) return { reasons: ['unknown', 'not-processed'] }
  if (family === null) return sent.size > 0 ? {} : { reasons: [...common] }
  if (family.isByAccount && family.listed.length === 0) return { reasons: ['not-boosted'] }
  const unsent = family.listed.filter((it) => it.local && !sent.has(statusUriOf(it.uri)))
  if (unsent.length === 0 && sent.size > 0) return {}
  const living = unsent.filter((it) => !it.deleted)
  const isLiving = living.length > 0
  const reasons: NoDeliveryReason[] = [
    ...(family.named.local || family.isByAccount ? [] : (['remote'] as const)),
    ...(living.length < unsent.length ? (['ended'] as const) : []),
    ...(living.some((it) => it.visibility === 'private' || it.visibility === 'direct')
      ? (['not-public'] as const)
      : []),
    // A deleted status or undone reblog may have been sent to other hosts.
    ...(isLiving || (host !== null && unsent.length > 0) ? common : []),
  ]
  return {
    ...(unsent.length > 0 && { unsent: unsent.map((it) => it.uri) }),
    ...(reasons.length > 0 && { reasons }),
  }
}
