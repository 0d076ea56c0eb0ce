/**
 * Operations, events and jobs about archives with all data of an account: requested, created by a worker, downloaded,
 * and deleted after a week.
 */
import { z } from 'zod'
import { STAFF_PREFIX, StaffAct, staffWrites } from '../admin/staff.js'
import { event, id, internal, job, operation, post } from '../kit/index.js'

/** Value of the session cookie, which identifies the user. */
const session = z.string().max(512)

export const Archive = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'ready', 'failed']),
  /** Size of the archive in bytes; null before the archive is ready. */
  size: z.int().nullable(),
  created_at: z.string(),
  /** Time at which the archive is deleted; null before the archive is ready. */
  expires_at: z.string().nullable(),
})
export type Archive = z.infer<typeof Archive>

export const listArchives = operation('federation.archive.list', {
  viewer: internal(),
  input: z.object({ session }),
  output: z.object({
    archives: z.array(Archive),
    /** ISO 8601; earliest time at which another archive may be requested. Null if it may be requested now. */
    next_at: z.string().nullable(),
  }),
  errors: ['unauthenticated', 'forbidden'],
  about: 'Archives of an account, newest first.',
})

export const createArchive = operation('federation.archive.create', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session }),
  output: Archive,
  errors: ['unauthenticated', 'forbidden', 'unprocessable'],
  about: 'Requests an archive, at most one in six days.',
})

export const requestArchive = operation('federation.archive.request', {
  http: post(`${STAFF_PREFIX}/accounts/:id/backup`),
  viewer: staffWrites('manage_user_access', 'accounts'),
  class: 'admin',
  input: z.object({ id: id() }),
  output: Archive,
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about:
    'Requests an archive of a local account, which gets an e-mail when it is ready. Only the account can download it.',
})

export const archiveManaged = event('federation.archive.managed', {
  data: StaffAct,
  about: 'Staff or an operator requested an archive of an account.',
})

export const openArchive = operation('federation.archive.open', {
  viewer: internal(),
  input: z.object({ session, id: id() }),
  output: z.object({ key: z.string(), name: z.string(), size: z.int() }),
  errors: ['unauthenticated', 'forbidden', 'not_found'],
  about: 'Location of the file of an archive, from which the edge sends it to its owner.',
})

export const makeArchiveJob = job('federation.make-archive', {
  data: z.object({
    id: z.string(),
    /** True: an operator restored the job, so the archive is written although it is marked as failed. */
    restored: z.boolean().optional(),
  }),
  about: 'Writes an archive into the blob store in a stream, so that it is never completely in memory.',
  retry: { delays: [30, 300], times: 3 },
  timeoutMs: 3_600_000,
  concurrency: 1,
})

export const archiveReady = event('federation.archive.ready', {
  data: z.object({ id: z.string(), account: z.string(), size: z.int(), expires_at: z.string() }),
  about: 'An archive can be downloaded. Its owner gets an e-mail.',
})
