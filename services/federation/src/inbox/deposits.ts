/** Hands new remote statuses to their owner: those that concern no other status go together, the others alone. */
import type { ResultOf } from '@murmuration/contracts/kit'
import { putRemoteStatus, putRemoteStatuses, type RemoteStatus } from '@murmuration/contracts/statuses'
import { type BaseContext, createBatches } from '@murmuration/kernel'
import type { calls } from '../calls.js'

type Stored = ResultOf<typeof putRemoteStatus.output>

/** Stores a status, or edits it. */
export type Deposit = (status: RemoteStatus) => Promise<Stored>

/** Statuses of one request; longer ones than usual may not fit, and go alone then. */
const MOST = 50
/** Under load a batch begins only after so long, so that it is worth its transaction. */
const PAUSE_MS = 25

const concernsNoOther = ({ in_reply_to, quote, poll }: RemoteStatus): boolean =>
  in_reply_to === null && quote === null && poll === null

export const createDeposit = ({
  call,
  batchPause,
}: Pick<BaseContext<(typeof calls)[number]>, 'call' | 'batchPause'>): Deposit => {
  const alone = createBatches(
    ([status]: readonly RemoteStatus[]) =>
      call(putRemoteStatus, { status: status as RemoteStatus }).then((stored) => [stored]),
    { most: 1, lanes: 16 },
  )
  const together = createBatches(
    async (statuses: readonly RemoteStatus[]) => (await call(putRemoteStatuses, { statuses: [...statuses] })).stored,
    { most: MOST, lanes: 2, pauseMs: batchPause(PAUSE_MS) },
  )
  return async (status) => (concernsNoOther(status) ? await together(status) : null) ?? alone(status)
}
