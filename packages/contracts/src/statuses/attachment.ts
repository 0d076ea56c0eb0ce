/** Jobs about files of statuses and preview cards. */
import { z } from 'zod'
import { job, PATIENT_RETRY } from '../kit/index.js'

export const releaseFiles = job('statuses.release-files', {
  data: z.object({
    /** Ids of the statuses and preview cards that have the attachments. */
    holders: z.array(z.string()).max(200),
    /** Ids of the attachments to release, unless a preview card shows them again. Absent: all attachments of `holders`. */
    files: z.array(z.string()).max(200).optional(),
  }),
  about: 'Releases the files of deleted statuses and preview cards in media.',
  retry: PATIENT_RETRY,
  concurrency: 2,
})

export const recheckFiles = job('statuses.recheck-files', {
  data: z.object({
    status: z.string(),
    /** Ids of the attachments that an edit removed from the status. */
    files: z.array(z.string()).max(200),
  }),
  about: 'Marks attachments that an edit removed as reserved now, so that they are checked an hour later.',
  retry: PATIENT_RETRY,
  concurrency: 2,
})
