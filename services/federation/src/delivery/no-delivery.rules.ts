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

/** Which of these were not sent, and why that may be; empty when all were. `sent` has ids of statuses. */
export const nothingSent = (
  family: StatusFamily | null,
  sent: ReadonlySet<string>,
): { unsent?: string[]; reasons?: NoDeliveryReason[] } => {
  if (family === null) return sent.size > 0 ? {} : { reasons: ['unknown', ...COMMON] }
  const all = [...(family.original === null ? [] : [family.original]), ...family.boosts]
  const unsent = all.filter((it) => it.local && !it.deleted && !sent.has(statusThing(it.uri)))
  if (unsent.length === 0 && sent.size > 0) return {}
  const reasons: NoDeliveryReason[] = [
    ...(family.original?.local === false ? (['remote'] as const) : []),
    ...(unsent.some((it) => it.visibility === 'private' || it.visibility === 'direct')
      ? (['not-public'] as const)
      : []),
    ...(all.some((it) => it.local) ? COMMON : []),
  ]
  return {
    ...(unsent.length > 0 && { unsent: unsent.map((it) => it.uri) }),
    ...(reasons.length > 0 && { reasons }),
  }
}
