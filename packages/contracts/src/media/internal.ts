/** What other services ask media: attachments by id, taking them into a status, pictures of people. */
import { z } from 'zod'
import { FileFacts } from '../content.js'
import { MediaAttachment } from '../entities/index.js'
import { hint, internal, linesOf, operation } from '../kit/index.js'
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

/** What a status needs to know of an attachment. */
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

/** An avatar or header after processing; null urls mean the default picture. */
export const Picture = z.object({ url: z.string(), static_url: z.string(), media_type: z.string(), key: z.string() })
export const makePicture = operation('media.picture.make', {
  viewer: internal(),
  class: 'upload',
  input: z.object({
    owner: z.string(),
    kind: z.enum(['avatar', 'header']),
    /** Staging key of the upload. */
    key: z.string(),
  }),
  output: Picture,
  errors: ['unprocessable'],
  about: 'Turns an upload into an avatar or header: cropped, without metadata.',
})

export const proxyUrls = operation('media.picture.remote', {
  viewer: internal(),
  class: 'write',
  large: true,
  input: z.object({
    items: z
      .array(
        z.object({
          /** Account id, or for an emoji the domain it belongs to. */
          owner: z.string(),
          kind: z.enum(['avatar', 'header', 'emoji']),
          remote: z.string(),
          /** Of an emoji, so that staff can copy it. */
          shortcode: z.string().max(2_100).optional(),
          /** Of an emoji: when its picture was last another one, as its server says. With a later time it has a new address here. */
          updated: z.string().nullable().optional(),
          /** Domain of the owner: its rules hold for files on other hosts too. */
          domain: z.string().optional(),
        }),
      )
      .max(200),
  }),
  output: z.object({
    /** By remote address; for each the picture, and what to show instead of one that moves. */
    urls: z.record(z.string(), z.string()),
    static_urls: z.record(z.string(), z.string()),
  }),
  about:
    'Our addresses for pictures of remote people, each of one picture for ever: served from the cache, fetched by the worker or on first view. Addresses that are not http(s) or are ours are left out.',
})

export const dropPictures = operation('media.picture.drop', {
  viewer: internal(),
  class: 'write',
  input: z.object({ owner: z.string(), keys: z.array(z.string()).max(100) }),
  output: z.object({ dropped: z.int() }),
  about: 'Pictures made for this owner that nothing shows any more.',
})

export const attachmentHint = hint('media.attachment', 'Attachments whose JSON changed.')
