/** Copies a file of another server; what fails comes again by the tick `retry-remote`, until it is given up. */
import { fetchRemoteJob } from '@murmuration/contracts/media'
import { copyRemote } from '../changes/copy-remote.js'
import { work } from '../doors.js'

export const fetchRemote = work(fetchRemoteJob, async (ctx, data, { tries }) => {
  await copyRemote(ctx, data, tries < fetchRemoteJob.retry.times ? 'first' : 'last')
})
