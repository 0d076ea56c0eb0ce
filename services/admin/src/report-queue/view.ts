/** The summary of open reports, and the accounts to which they can be assigned. */
import { type ReportSummary, showAccountForStaff } from '@murmuration/contracts/admin'
import type { AdminAccount } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import { permits } from '@murmuration/contracts/permissions'
import type { QueueCounts } from './store.js'

const secondsSince = (now: number, at: Date): number => Math.max(0, Math.round((now - at.getTime()) / 1_000))

/** The summary of open reports. `max` is the maximum number of counted reports. */
export const summaryOf = (counts: QueueCounts, now: number, max: number): ReportSummary => {
  const { open, mine, unassigned, spam, legal, violation, other } = counts
  return {
    open,
    queues: { mine, unassigned, others: open - mine - unassigned },
    categories: { spam, legal, violation, other },
    targets: { local: counts.local_targets, remote: open - counts.local_targets },
    reporters: { local: open - counts.remote_reporters, remote: counts.remote_reporters },
    oldest_open:
      counts.oldest_id === null || counts.oldest_at === null
        ? null
        : {
            id: counts.oldest_id,
            created_at: counts.oldest_at.toISOString(),
            age_seconds: secondsSince(now, counts.oldest_at),
          },
    median_age_seconds: counts.median_at === null ? null : secondsSince(now, counts.median_at),
    more: open > max,
  }
}

/** An assignee. E-mail and IP addresses are included only for viewers who may read accounts. `viewer` is null for operators. */
export const assigneeOf = (viewer: Pick<Viewer, 'permissions'> | null, account: AdminAccount): AdminAccount =>
  viewer === null || permits(showAccountForStaff.viewer, viewer.permissions)
    ? account
    : { ...account, email: null, ip: null, ips: [], invite_request: null }
