/** Operations about the profile of the authenticated account for editing, with its featured hashtags. */
import { z } from 'zod'
import { profileFields } from '../accounts/profile.js'
import { Profile } from '../entities/index.js'
import { get, operation, put, user } from '../kit/index.js'

export const showProfile = operation('statuses.profile.show', {
  http: get('/api/v1/profile'),
  viewer: user('profile|read|read:accounts'),
  input: z.object({}),
  output: Profile,
  about: 'Profile of the viewer for editing: texts as typed and as shown, pictures, settings and featured hashtags.',
})

export const updateProfile = operation('statuses.profile.update', {
  http: put('/api/v1/profile'),
  viewer: user('write|write:accounts'),
  class: 'upload',
  files: ['avatar', 'header'],
  inlineFiles: true,
  input: z.object(profileFields),
  output: Profile,
  errors: ['unprocessable'],
  about: 'Changes the profile of the viewer. Absent members stay unchanged.',
})
