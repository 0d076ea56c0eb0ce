/** Operations with which staff replaces signing keys of local accounts, and the cache invalidation message about them. */
import { z } from 'zod'
import { STAFF_PREFIX, staffWrites } from '../admin/staff.js'
import { id, int, invalidation, operation, post } from '../kit/index.js'
import { Task } from '../task.js'

const access = staffWrites('manage_user_access', 'accounts')

export const rotateKeys = operation('accounts.upkeep.rotate-keys', {
  http: post(`${STAFF_PREFIX}/accounts/:id/rotate_keys`),
  viewer: access,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found', 'forbidden'],
  about:
    'Creates a new signing key for a local account below the caller’s own role. Other servers get it in an Update.',
})

export const rotateAllKeys = operation('accounts.upkeep.rotate-all-keys', {
  http: post(`${STAFF_PREFIX}/accounts/rotate_keys`),
  viewer: staffWrites('administrator'),
  class: 'admin',
  input: z.object({
    /** Delay in seconds between two chunks of 25 accounts, so that other servers do not get all Updates at once. */
    delay: int().pipe(z.int().min(0).max(86_400)).default(60),
  }),
  output: Task,
  errors: ['unprocessable'],
  about: 'Starts a task that creates new signing keys for the instance actor and all local accounts.',
})

/** Cache invalidation message: cached signing keys are outdated. The ids are account ids. */
export const keyInvalidation = invalidation('accounts.key', 'Ids of local accounts whose signing keys changed.')
