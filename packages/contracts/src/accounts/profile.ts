/** Operations that change and return the profile of a local account, and the job that verifies its links. */
import { z } from 'zod'
import { Profile } from '../entities/index.js'
import { event, flag, internal, job, list, operation, text } from '../kit/index.js'
import { stagedFileOrNone } from '../media/staged-file.js'

const field = z.object({ name: text().optional(), value: text().optional() })
/** A list of profile fields. If a text is sent instead, the fields stay unchanged, because masto.js sends the text `undefined` in forms. */
const fields = () =>
  z.preprocess((value) => (typeof value === 'string' ? undefined : value), list(field, null).optional())

/** Changes of a profile. Absent members stay unchanged. */
export const profileFields = {
  display_name: text().optional(),
  note: text().optional(),
  avatar: stagedFileOrNone(),
  avatar_description: text().optional(),
  header: stagedFileOrNone(),
  header_description: text().optional(),
  locked: flag(),
  bot: flag(),
  discoverable: flag(),
  hide_collections: flag(),
  indexable: flag(),
  show_media: flag(),
  show_media_replies: flag(),
  show_featured: flag(),
  attribution_domains: list(text(), null).optional(),
  fields_attributes: fields(),
}

/** Profile without featured hashtags, which the statuses service adds. */
export const ProfileWithoutTags = Profile.omit({ featured_tags: true })

export const getProfile = operation('accounts.profile.get', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: ProfileWithoutTags,
  errors: ['not_found'],
  about: 'The profile of a local account in the form in which its owner edits it.',
})

export const changeProfile = operation('accounts.profile.change', {
  viewer: internal(),
  class: 'upload',
  input: z.object({ id: z.string(), ...profileFields }),
  output: ProfileWithoutTags,
  errors: ['unprocessable', 'not_found'],
  about: 'Changes the profile of a local account and returns it.',
})

export const verifyLinksJob = job('accounts.verify-links', {
  data: z.object({ account: z.string() }),
  about: 'Checks whether pages linked in profile fields link back to the profile.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 90_000,
  concurrency: 4,
})

export const localPicturesReplaced = event('accounts.local-picture.replaced', {
  data: z.object({
    /** Id of the local account. */
    owner: z.string(),
    /** Keys under which media stores the pictures. */
    keys: z.array(z.string()),
  }),
  about: 'Uploaded avatars or headers are not, or no longer, in the profile of a local account. Media deletes them.',
})
