/** Every tick of media. */
import type { TickDoor } from '@murmuration/kernel'
import { deleteLooseFiles } from './delete-loose-files.js'
import { discardUnattached } from './discard-unattached.js'
import { failOverdue } from './fail-overdue.js'
import { sweepBenches } from './sweep-benches.js'
import { sweepStaging } from './sweep-staging.js'

export const ticks: readonly TickDoor[] = [deleteLooseFiles, discardUnattached, failOverdue, sweepBenches, sweepStaging]
