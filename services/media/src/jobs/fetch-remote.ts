/** Copies a file of another server, and gives up after the last try. */
import { fetchRemoteJob } from '@murmuration/contracts/media'
import { copyRemote } from '../changes/copy-remote.js'
import { work } from '../doors.js'

export const fetchRemote = work(fetchRemoteJob, async (ctx, data, { tries }) => {
  await copyRemote(ctx, data, tries >= fetchRemoteJob.retry.times)
})
