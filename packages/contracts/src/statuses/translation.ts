/** Operations about translations of statuses. */
import { z } from 'zod'
import { Translation } from '../entities/index.js'
import { anyone, get, id, nothing, operation, post, textOrNone, user } from '../kit/index.js'

export const translateStatus = operation('statuses.translation.make', {
  http: post('/api/v1/statuses/:id/translate'),
  viewer: user('read|read:statuses'),
  class: 'search',
  input: z.object({ id: id(), lang: textOrNone(100).optional() }),
  output: Translation,
  errors: ['not_found', 'forbidden', 'unavailable'],
  about: 'Translates a public status into the language of the viewer.',
})

export const translationLanguages = operation('statuses.translation.languages', {
  http: get('/api/v1/instance/translation_languages'),
  viewer: anyone(),
  cache: 'instance',
  input: nothing(),
  output: z.record(z.string(), z.array(z.string())),
  errors: ['unavailable'],
  about: 'Target languages of translations by source language; `und` is for unknown ones.',
})
