/** Every tick of media. */
import type { TickDoor } from '@murmuration/kernel'
import { clearRefused } from './clear-refused.js'
import { deleteLooseFiles } from './delete-loose-files.js'
import { discardUnattached } from './discard-unattached.js'
import { failOverdue } from './fail-overdue.js'
import { forgetCopies } from './forget-copies.js'
import { retryRemote } from './retry-remote.js'
import { sweepBenches } from './sweep-benches.js'
import { sweepStaging } from './sweep-staging.js'

export const ticks: readonly TickDoor[] = [
  clearRefused,
  deleteLooseFiles,
  discardUnattached,
  failOverdue,
  forgetCopies,
  retryRemote,
  sweepBenches,
  sweepStaging,
]
