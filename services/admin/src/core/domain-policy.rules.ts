/** Moderation steps for the accounts of a domain after its domain block or its row in the allow list changed. */
import { blockStamp, type DomainBlock } from './domain-name.rules.js'

/** Current policy for a domain: its own block, the blocks of its parents, and whether it is allowed. */
export interface DomainPolicy {
  blocks: readonly DomainBlock[]
  allowed: boolean
}

export interface ModerationStep {
  domain: string
  /** The step does not apply to subdomains, because the allow list names servers one by one. */
  exact?: true
  /** True: follows that the domain block ended are requested again. */
  restores?: true
  action: 'suspend' | 'unsuspend' | 'silence' | 'unsilence'
  stamp: string
}

/** The stamp of accounts that were suspended because their domain is no longer allowed. */
export const allowStamp = (domain: string): string => `domain-allow:${domain}`

/** False for `noop`, and for severities of a newer release: this release cannot apply them, and the policy refuses the domain. */
const isApplied = (severity: string): severity is 'silence' | 'suspend' =>
  severity === 'silence' || severity === 'suspend'

/**
 * Returns the steps that undo blocks in the policy `applied` that the policy `now` no longer contains, because they
 * were removed or changed.
 */
export const undoingSteps = (domain: string, applied: DomainPolicy, now: DomainPolicy): ModerationStep[] =>
  applied.blocks.flatMap((block): ModerationStep[] => {
    const { severity } = block
    const holds = now.blocks.some((one) => blockStamp(one) === blockStamp(block) && one.severity === severity)
    if (holds || !isApplied(severity)) return []
    return [{ domain, action: severity === 'suspend' ? 'unsuspend' : 'unsilence', stamp: blockStamp(block) }]
  })

/**
 * Returns the moderation steps after a change of the domain block, or of the row in the allow list, with this stamp.
 * The first steps undo effects of the removed block that no longer apply. The other steps apply all current blocks,
 * because another block may cover accounts of a removed block. Every step is safe to repeat.
 */
export const stepsOf = (
  change: { domain: string; stamp: string; restores?: boolean | undefined },
  policy: DomainPolicy,
  limitedFederation: boolean,
): ModerationStep[] => {
  const { domain, stamp } = change
  const blocking = policy.blocks.flatMap((block): ModerationStep[] =>
    isApplied(block.severity) ? [{ domain, action: block.severity, stamp: blockStamp(block) }] : [],
  )
  if (stamp === allowStamp(domain)) {
    return limitedFederation && !policy.allowed
      ? [{ domain, exact: true, action: 'suspend', stamp }]
      : [{ domain, exact: true, action: 'unsuspend', stamp }, ...blocking]
  }
  const own = policy.blocks.find((block) => block.domain === domain && blockStamp(block) === stamp)
  return [
    ...(own?.severity === 'suspend'
      ? []
      : [{ domain, action: 'unsuspend' as const, stamp, ...(change.restores ? { restores: true as const } : {}) }]),
    ...(own?.severity === 'silence' ? [] : [{ domain, action: 'unsilence' as const, stamp }]),
    ...blocking,
  ]
}

/**
 * The stamp of the domain rule (block or missing allow) that limits or suspends the accounts of a domain; null if no
 * rule does.
 */
export const stampInForce = (
  domain: string,
  { blocks, allowed }: DomainPolicy,
  state: 'silence' | 'suspend',
  limitedFederation: boolean,
): string | null => {
  const block = blocks.find(({ severity }) => severity === state)
  if (block) return blockStamp(block)
  return state === 'suspend' && limitedFederation && !allowed ? allowStamp(domain) : null
}
