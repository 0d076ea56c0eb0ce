/** Operations about attachments of the authenticated account: upload, reading, description and deletion. */
import { z } from 'zod'
import { MediaAttachment } from '../entities/index.js'
import { del, get, id, operation, post, put, textOrNone, user } from '../kit/index.js'
import { stagedFileOrNone } from './staged-file.js'

const scope = () => user('write|write:media')

const details = {
  description: textOrNone().optional(),
  /** Focal point: two numbers from -1 to 1 separated by a comma, x to the right, y upwards. */
  focus: textOrNone(100).optional(),
  /** Picture that is the cover of a video or audio file. */
  thumbnail: stagedFileOrNone(),
}
const upload = z.object({ ...details, file: stagedFileOrNone() })

export const uploadAttachment = operation('media.attachment.upload', {
  http: post('/api/v2/media'),
  viewer: scope(),
  class: 'upload',
  files: ['file', 'thumbnail'],
  creates: true,
  input: upload,
  output: MediaAttachment,
  errors: ['unprocessable', 'no_space'],
  about:
    'Uploads a file. Pictures are ready immediately (200); video and audio are processed afterwards (202, url null).',
})

export const uploadAttachmentNow = operation('media.attachment.upload-now', {
  http: post('/api/v1/media'),
  viewer: scope(),
  class: 'upload',
  files: ['file', 'thumbnail'],
  creates: true,
  input: upload,
  output: MediaAttachment,
  errors: ['unprocessable', 'no_space'],
  about: 'Uploads a file and responds when it is processed.',
})

export const showAttachment = operation('media.attachment.show', {
  http: [get('/api/v1/media/:id'), get('/api/v2/media/:id'), get('/api/v2/media')],
  viewer: scope(),
  input: z.object({ id: id() }),
  output: MediaAttachment,
  errors: ['not_found', 'unprocessable'],
  about: 'An own attachment that is not in a status yet: 200 ready, 206 still processing, 422 failed.',
})

export const updateAttachment = operation('media.attachment.update', {
  http: put('/api/v1/media/:id'),
  viewer: scope(),
  class: 'upload',
  files: ['thumbnail'],
  input: z.object({ ...details, id: id() }),
  output: MediaAttachment,
  errors: ['not_found', 'unprocessable', 'no_space'],
  about: 'Changes the description, focal point or cover of an own attachment that is not in a status yet.',
})

export const deleteAttachment = operation('media.attachment.delete', {
  http: del('/api/v1/media/:id'),
  viewer: scope(),
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'Deletes an own attachment that is not in a status.',
})
