/** Counts and features in the instance document, read from the services at most every thirty seconds. */
import { accountCounts } from '@murmuration/contracts/accounts'
import { attachmentFormats } from '@murmuration/contracts/media'
import { can, DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { statusCounts } from '@murmuration/contracts/statuses'
import type { BaseContext } from '@murmuration/kernel'

export interface InstanceCounts {
  users: number
  activeMonth: number
  domains: number
  statuses: number
  /** Media types that users may upload. */
  mimeTypes: readonly string[]
  /** True if statuses can be translated. */
  translates: boolean
  /** True if the base role of all users may invite. */
  invitesEnabled: boolean
}

export interface InstanceCountCache {
  /** Recent counts. While the services do not respond: the last known counts, or zeros. */
  now(): Promise<InstanceCounts>
}

const MAX_AGE_MS = 30_000
/** Milliseconds without a new request for the counts after a service did not respond. */
const PAUSE_MS = 2_000
const TIMEOUT_MS = 1_500
/** Image types that are always supported; used until the media service has returned its list. */
const PICTURES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

type Asked = typeof accountCounts | typeof statusCounts | typeof attachmentFormats

export const createInstanceCounts = (base: Pick<BaseContext<Asked>, 'call' | 'clock' | 'log'>): InstanceCountCache => {
  let last: InstanceCounts = {
    users: 0,
    activeMonth: 0,
    domains: 0,
    statuses: 0,
    mimeTypes: PICTURES,
    translates: false,
    invitesEnabled: can(DEFAULT_ROLES.everyone.permissions, 'invite_users'),
  }
  let until = 0
  let loading: Promise<InstanceCounts> | null = null
  const load = async (): Promise<InstanceCounts> => {
    try {
      const [accountStats, written, formats] = await Promise.all([
        base.call(accountCounts, {}, { timeoutMs: TIMEOUT_MS }),
        base.call(statusCounts, {}, { timeoutMs: TIMEOUT_MS }),
        base.call(attachmentFormats, {}, { timeoutMs: TIMEOUT_MS }).catch(() => null),
      ])
      last = {
        users: accountStats.users,
        activeMonth: accountStats.activeMonth,
        domains: accountStats.domains,
        statuses: written.local,
        mimeTypes: formats?.mime_types ?? last.mimeTypes,
        translates: written.translates,
        invitesEnabled: accountStats.invitesEnabled ?? last.invitesEnabled,
      }
      until = base.clock.now() + MAX_AGE_MS
    } catch (error) {
      base.log.warn({ error }, 'counts are unavailable; the last ones are shown')
      until = base.clock.now() + PAUSE_MS
    }
    return last
  }
  return {
    now() {
      if (base.clock.now() < until) return Promise.resolve(last)
      loading ??= load().finally(() => {
        loading = null
      })
      return loading
    },
  }
}
