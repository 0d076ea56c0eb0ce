/** Attachments as other services use them: by id, in a status, and those of other servers. */
import { z } from 'zod'
import { FileFacts } from '../content.js'
import { MediaAttachment } from '../entities/index.js'
import { hint, internal, job, linesOf, operation } from '../kit/index.js'
import { StagedFile } from './staged-file.js'

const Ids = z.array(z.string()).max(400)

export const attachmentCards = operation('media.attachment.cards', {
  viewer: internal(),
  large: true,
  input: z.object({ ids: Ids }),
  output: linesOf(MediaAttachment),
  about: 'MediaAttachment JSON by id.',
})

export const attachmentFormats = operation('media.attachment.formats', {
  viewer: internal(),
  input: z.object({}),
  output: z.object({
    /** Media types that may be uploaded here, in the order of `limits.media.mimeTypes`. */
    mime_types: z.array(z.string()),
  }),
  about: 'What this server can process; the instance document tells it to clients.',
})

/** The data of an attachment that a status stores. */
export const AttachmentRecord = FileFacts.extend({
  id: z.string(),
  type: z.enum(['image', 'gifv', 'video', 'audio', 'unknown']),
  remote_url: z.string().nullable(),
  preview_url: z.string().nullable(),
})

export type AttachmentRecord = z.infer<typeof AttachmentRecord>

export const attachmentRecords = operation('media.attachment.records', {
  viewer: internal(),
  large: true,
  input: z.object({ ids: Ids }),
  output: z.object({ records: z.array(AttachmentRecord) }),
  about: 'Facts of attachments by id.',
})

export const takeAttachments = operation('media.attachment.take', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    owner: z.string(),
    ids: z.array(z.string()).max(16),
    /** The status that will hold them; the same status may take them again. */
    status: z.string(),
    /** The status is scheduled: its owner may go on describing them (S-107). */
    scheduled: z.boolean().optional(),
    /** The scheduled status that holds them until now. */
    from: z.string().optional(),
    edits: z
      .array(
        z.object({
          id: z.string(),
          description: z.string().nullable().optional(),
          focus: z.tuple([z.number(), z.number()]).optional(),
          /** Another cover for a video or a sound; pictures are their own. */
          thumbnail: StagedFile.optional(),
        }),
      )
      .default([]),
  }),
  output: z.object({
    taken: z.array(AttachmentRecord),
    /** Ids that are unknown, foreign or in another status; ids not processed yet. Nothing is taken when either is not empty. */
    missing: z.array(z.string()),
    unprocessed: z.array(z.string()),
  }),
  about: 'Reserves attachments of a person for one status; two statuses never get the same one (F067).',
})

export const releaseAttachments = operation('media.attachment.release', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    status: z.union([z.string(), z.array(z.string()).max(200)]),
    /** All of them when left out. */
    ids: z.array(z.string()).max(800).optional(),
    /** The files go at once; otherwise after 24 hours, so that a redraft may take them again. */
    atOnce: z.boolean().optional(),
  }),
  output: z.object({ released: z.int() }),
  about: 'A status that reserved attachments was not stored, or let go of them; or several at once.',
})

export const putRemoteAttachments = operation('media.attachment.put-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    owner: z.string(),
    status: z.string(),
    /** Domain of the author: its rules hold for files on other hosts too. */
    domain: z.string().optional(),
    attachments: z.array(FileFacts).max(16),
  }),
  output: z.object({ ids: z.array(z.string()) }),
  about:
    'All attachments of a remote status, in order; what it had before and is not named goes. Fetched later by the worker; addresses that are not http(s) or are ours are left out.',
})

export const attachmentHint = hint('media.attachment', 'Attachments whose JSON changed.')

export const processMediaJob = job('media.process', {
  data: z.object({ id: z.string() }),
  about: 'Turns an uploaded video, sound or moving picture into what clients can play.',
  // The lease is short so that work of a killed process is soon taken up; it is renewed while the transcoder runs.
  timeoutMs: 10_000,
  concurrency: 1,
})
