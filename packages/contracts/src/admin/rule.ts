/** Rules of the server, as operators write them. */
import { z } from 'zod'
import { LanguageCode, Rule } from '../entities/index.js'
import { internal, operation } from '../kit/index.js'

const translations = z.record(LanguageCode, z.strictObject({ text: z.string(), hint: z.string().default('') }))

export const ruleCreate = operation('admin.rule.create', {
  viewer: internal(),
  class: 'write',
  input: z.object({ text: z.string(), hint: z.string().default(''), translations: translations.default({}) }),
  output: Rule,
  errors: ['unprocessable'],
  about: 'Adds a rule after the others.',
})

export const ruleUpdate = operation('admin.rule.update', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    id: z.string(),
    text: z.string().optional(),
    hint: z.string().optional(),
    translations: translations.optional(),
    /** Lower numbers stand first. */
    priority: z.int().min(0).max(1_000_000).optional(),
  }),
  output: Rule,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes a rule; absent members stay as they are.',
})

export const ruleRemove = operation('admin.rule.remove', {
  viewer: internal(),
  class: 'write',
  input: z.object({ id: z.string() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Takes a rule away; reports that name it keep it.',
})
