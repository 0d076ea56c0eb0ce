/** Operations and jobs with which other services use attachments: by id, by status, and remote ones. */
import { z } from 'zod'
import { FileData } from '../content.js'
import { MediaAttachment } from '../entities/index.js'
import { internal, invalidation, job, linesOf, operation } from '../kit/index.js'
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
    /** Media types that this server accepts, in the order of `limits.media.mimeTypes`. */
    mime_types: z.array(z.string()),
  }),
  about: 'Media types that this server can process, which the instance document publishes.',
})

/** Data of an attachment that a status stores. */
export const AttachmentRecord = FileData.extend({
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
  about: 'Data of attachments by id.',
})

export const takeAttachments = operation('media.attachment.take', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    owner: z.string(),
    ids: z.array(z.string()).max(16),
    /** Id of the status that gets the attachments. Repeated calls for the same status succeed. */
    status: z.string(),
    /** True for a scheduled status. Its owner may still edit the descriptions of the attachments (S-107). */
    scheduled: z.boolean().optional(),
    /** Id of the scheduled status from which the attachments move to `status`. */
    from: z.string().optional(),
    /**
     * Ids of statuses of earlier tries to publish the scheduled status `from`. If such a status has the attachments
     * instead of `from`, they move from that status.
     */
    formerHolders: z.array(z.string()).max(200).optional(),
    edits: z
      .array(
        z.object({
          id: z.string(),
          description: z.string().nullable().optional(),
          focus: z.tuple([z.number(), z.number()]).optional(),
          /** New cover of the video or audio file. */
          thumbnail: StagedFile.optional(),
        }),
      )
      .default([]),
  }),
  output: z.object({
    taken: z.array(AttachmentRecord),
    /**
     * `missing`: ids that are unknown, of another account, or in another status. `unprocessed`: ids of attachments that
     * are not processed yet. If either list is not empty, no attachment is assigned.
     */
    missing: z.array(z.string()),
    unprocessed: z.array(z.string()),
  }),
  about: 'Reserves attachments of an account for one status. An attachment is never in two statuses (F067).',
})

export const releaseAttachments = operation('media.attachment.release', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    status: z.union([z.string(), z.array(z.string()).max(200)]),
    /** Ids of the attachments to release. If absent, all attachments of the status are released. */
    ids: z.array(z.string()).max(800).optional(),
    /** True deletes the files immediately; otherwise after 24 hours, so that a redraft can use them again. */
    atOnce: z.boolean().optional(),
  }),
  output: z.object({ released: z.int() }),
  about: 'Ends the reservation of attachments by a status that was not stored or no longer has them.',
})

export const returnAttachments = operation('media.attachment.return', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Ids of the statuses with which the publication of the scheduled status was tried. */
    attempts: z.array(z.string()).max(200),
    /** Id of the scheduled status that gets the attachments back. */
    scheduled: z.string(),
    ids: z.array(z.string()).max(800),
  }),
  output: z.object({ returned: z.int() }),
  about: 'Gives attachments that attempts to publish a scheduled status reserved back to it. No file is deleted.',
})

export const reservedAttachments = operation('media.attachment.reserved', {
  viewer: internal(),
  large: true,
  input: z.object({ limit: z.int().min(1).max(400) }),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        owner: z.string(),
        /** Id of the status for which the attachment is reserved, which may not be stored. */
        status: z.string(),
        /** Time of the reservation, by which a later one is recognised. */
        since: z.string(),
      }),
    ),
  }),
  about: 'Attachments that were reserved more than an hour ago, and whose status was not checked since, oldest first.',
})

export const checkedAttachments = operation('media.attachment.checked', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    items: z
      .array(
        z.object({
          id: z.string(),
          status: z.string(),
          since: z.string(),
          /** Id of the status that has the attachment; null releases it. */
          holder: z.string().nullable(),
          /** True for a scheduled status. Its attachments are checked again after an hour. */
          scheduled: z.boolean(),
        }),
      )
      .max(400),
  }),
  output: z.object({ changed: z.int() }),
  about:
    'Confirms, moves or releases attachments after a check of their statuses. An attachment that was reserved again meanwhile is left.',
})

export const recheckAttachments = operation('media.attachment.recheck', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    status: z.string(),
    /** Ids of the attachments to check again. Attachments that other statuses have are not changed. */
    ids: z.array(z.string()).max(200),
  }),
  output: z.object({ changed: z.int() }),
  about: 'Marks attachments of a status as reserved now, so that they are checked an hour later.',
})

export const putRemoteAttachments = operation('media.attachment.put-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    owner: z.string(),
    status: z.string(),
    /** Domain of the author. Domain rules for this domain also apply to files on other hosts. */
    domain: z.string().optional(),
    attachments: z.array(FileData).max(16),
    /**
     * True keeps the other attachments of the status, which earlier versions of it have. The given ones are checked an hour later,
     * because the version that has them may not be stored.
     */
    keepOthers: z.boolean().optional(),
  }),
  output: z.object({ ids: z.array(z.string()) }),
  about:
    'Replaces the attachments of a remote status, in order. The worker fetches them later. Addresses that are not http(s) or are local are left out.',
})

export const attachmentInvalidation = invalidation('media.attachment', 'Attachments whose JSON changed.')

export const processMediaJob = job('media.process', {
  data: z.object({ id: z.string() }),
  about: 'Transcodes an uploaded video, audio file or animated picture into formats that clients can play.',
  // Time limit in milliseconds. It is short, so that the work of a killed process is soon repeated, and is extended
  // while the transcoder runs.
  timeoutMs: 10_000,
  concurrency: 1,
})
