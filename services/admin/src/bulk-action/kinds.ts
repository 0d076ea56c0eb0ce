/** Implementations of bulk actions by noun and action. */
import type { BulkNoun } from '@murmuration/contracts/admin'
import { fail, type Viewer } from '@murmuration/contracts/kit'
import { permits } from '@murmuration/contracts/permissions'
import { accountStates } from './account.js'
import { auditEntries } from './audit-entry.js'
import { domainBlocks } from './domain-block.js'
import type { BulkKind } from './kind.js'
import { signUps } from './sign-up.js'
import { trends } from './trend.js'

const KINDS: Readonly<Record<BulkNoun, BulkKind>> = {
  account: accountStates,
  trend_tag: trends('tag'),
  trend_link: trends('link'),
  trend_status: trends('status'),
  domain_block: domainBlocks,
  audit_entry: auditEntries,
}

const SIGN_UP_ACTIONS = new Set(['approve', 'reject'])

export const kindOf = (noun: BulkNoun, action: string): BulkKind =>
  noun === 'account' && SIGN_UP_ACTIONS.has(action) ? signUps : KINDS[noun]

export const isPermitted = (viewer: Viewer | null, { needs }: BulkKind): boolean =>
  viewer === null || permits(needs.viewer, viewer.permissions)

/** Nouns for whose bulk actions the viewer has the permission. */
export const nounsFor = (viewer: Viewer | null): BulkNoun[] =>
  (Object.keys(KINDS) as BulkNoun[]).filter((noun) => isPermitted(viewer, KINDS[noun]))

/** Throws 403 unless the viewer has the permission that the same action on a single item needs. */
export const checkPermission = (viewer: Viewer | null, kind: BulkKind): void => {
  if (!isPermitted(viewer, kind)) throw fail('forbidden', 'This action is not allowed')
}
