/** What people chose for writing and reading. */
import { z } from 'zod'
import { Preferences } from '../entities/index.js'
import { get, operation, user } from '../kit/index.js'

export const preferenceShow = operation('accounts.preference.show', {
  http: get('/api/v1/preferences'),
  viewer: user('read|read:accounts'),
  input: z.object({}),
  output: Preferences,
  about: 'Defaults of the signed-in person.',
})
