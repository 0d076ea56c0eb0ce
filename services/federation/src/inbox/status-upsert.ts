/** Stores remote statuses in batches. Replies, quotes and polls are stored one by one. */

import type { ResultOf } from '@murmuration/contracts/kit'
import { putRemoteStatus, putRemoteStatuses, type RemoteStatus } from '@murmuration/contracts/statuses'
import { createBatcher, createLimiter } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'
import type { calls } from '../calls.js'

type Stored = ResultOf<typeof putRemoteStatus.output>

/** Stores a new remote status, or an edit of a stored remote status. */
export type UpsertStatus = (status: RemoteStatus) => Promise<Stored>

/** Maximum number of remote statuses that one batch stores. */
const MAX_STATUSES = 50
/** Time that a batch collects statuses under load, so that each transaction stores many. */
const PAUSE_MS = 25

/** Maximum number of concurrent requests that store a single status (a reply, quote or poll). */
const ALONE_AT_ONCE = 16

const concernsNoOther = ({ in_reply_to, quote, poll }: RemoteStatus): boolean =>
  in_reply_to === null && quote === null && poll === null

export const createStatusUpsert = ({
  call,
  batchPause,
}: Pick<BaseContext<(typeof calls)[number]>, 'call' | 'batchPause'>): UpsertStatus => {
  const limiter = createLimiter({ concurrency: ALONE_AT_ONCE })
  const alone = (status: RemoteStatus): Promise<Stored> => limiter.run(() => call(putRemoteStatus, { status }))
  const together = createBatcher(
    async (statuses: readonly RemoteStatus[]) => (await call(putRemoteStatuses, { statuses: [...statuses] })).stored,
    { max: MAX_STATUSES, concurrency: 2, pauseMs: batchPause(PAUSE_MS) },
  )
  return async (status) => (concernsNoOther(status) ? await together(status) : null) ?? alone(status)
}
