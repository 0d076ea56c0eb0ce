/** Operations and the event about preferences for posting and reading. */

import { z } from 'zod'
import { Preferences, QuotePolicy, Visibility } from '../entities/index.js'
import { event, get, Ids, internal, operation, user } from '../kit/index.js'

export const showPreferences = operation('accounts.preference.show', {
  http: get('/api/v1/preferences'),
  viewer: user('read|read:accounts'),
  input: z.object({}),
  output: Preferences,
  about: 'Preferences of the signed-in user.',
})

const Language = z.string().min(1).max(35)

/** Preferences of an account as stored. Null means that the user never chose a value. */
export const PreferenceChoices = z.object({
  /** Language of the user interface and of e-mails. The locale is also the language of new statuses, unless `language` is set. */
  locale: Language,
  /** Default visibility of new statuses. Null means followers only while the account is locked, else public. */
  privacy: Visibility.nullable(),
  sensitive: z.boolean(),
  /** Language of new statuses; null means `locale`. */
  language: Language.nullable(),
  quotePolicy: QuotePolicy,
  showApplication: z.boolean(),
  aggregateReblogs: z.boolean(),
  expandMedia: z.enum(['default', 'show_all', 'hide_all']),
  expandSpoilers: z.boolean(),
  autoplayGifs: z.boolean(),
  /** Languages of the statuses in public timelines; an empty list shows all languages. */
  chosenLanguages: z.array(Language).max(500),
  /**
   * Name of the time zone in which days of searches are read.
   * null: on reading, unknown (UTC applies); on writing, the time zone of the sign-up applies again.
   */
  timeZone: z.string().min(1).max(100).nullable().optional(),
})
export type PreferenceChoices = z.infer<typeof PreferenceChoices>

const session = z.string().max(512)

export const preferenceChoices = operation('accounts.preference.choices', {
  viewer: internal(),
  input: z.object({ session }),
  output: PreferenceChoices,
  errors: ['unauthenticated', 'not_found'],
  about: 'Posting and reading preferences of the user of a browser session, as stored.',
})

/** Changes preferences. Preferences that are absent stay unchanged. */
export const changePreferences = operation('accounts.preference.change', {
  viewer: internal(),
  class: 'write',
  input: PreferenceChoices.partial().extend({ session }),
  output: z.object({}),
  errors: ['unauthenticated', 'unprocessable'],
  about: 'Changes preferences of the user of a browser session. Languages are codes that this server knows.',
})

/** Posting defaults and preferences of a local account. */
export const PostingDefaults = z.object({
  visibility: Visibility,
  sensitive: z.boolean(),
  language: z.string(),
  quote_policy: z.enum(['public', 'followers', 'nobody']),
  show_application: z.boolean(),
  chosen_languages: z.array(z.string()).nullable(),
  aggregate_reblogs: z.boolean(),
})

export const postingDefaults = operation('accounts.preference.posting', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: PostingDefaults.extend({
    /** Name of the user's time zone; null if it is unknown. */
    time_zone: z.string().nullable().optional(),
  }),
  about: 'Effective posting defaults and reading preferences of a user.',
})

export const chosenLanguages = operation('accounts.preference.languages', {
  viewer: internal(),
  input: z.object({ ids: Ids }),
  output: z.object({ chosen: z.record(z.string(), z.array(z.string())) }),
  about: 'Languages that users chose for public timelines, by account id; users without a choice are left out.',
})

export const preferencesChanged = event('accounts.preference.changed', {
  data: z.object({ id: z.string() }),
  about: 'Reading or posting defaults changed.',
})
