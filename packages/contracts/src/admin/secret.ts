/** The operation that encrypts all stored secrets again after a change of SECRET_KEY_BASE. */
import { z } from 'zod'
import { flagOr, operation, post } from '../kit/index.js'
import { Task } from '../task.js'
import { STAFF_PREFIX, staffWrites } from './staff.js'

export const renewSecrets = operation('admin.secret.renew', {
  http: post(`${STAFF_PREFIX}/secrets/renew`),
  viewer: staffWrites('administrator'),
  class: 'admin',
  input: z.object({ dry_run: flagOr(false) }),
  output: Task,
  errors: ['unprocessable'],
  about:
    'Starts a task that encrypts stored secrets of SECRET_KEY_BASE_PREVIOUS with SECRET_KEY_BASE. Its note `unreadable` counts secrets of another base.',
})
