/** Operations with which staff and operators edit the rules of the server. */
import { z } from 'zod'
import { LanguageCode, Rule } from '../entities/index.js'
import { del, id, ids, intOrMinusOne, operation, post, put, text } from '../kit/index.js'
import { STAFF_PREFIX, staffWrites } from './staff.js'

const translations = z.record(LanguageCode, z.strictObject({ text: text(), hint: text().default('') }))

const writes = staffWrites('manage_rules')

export const createRule = operation('admin.rule.create', {
  http: post(`${STAFF_PREFIX}/rules`),
  viewer: writes,
  class: 'admin',
  input: z.object({ text: text(), hint: text().default(''), translations: translations.default({}) }),
  output: Rule,
  errors: ['unprocessable'],
  about: 'Adds a rule after the existing ones.',
})

export const updateRule = operation('admin.rule.update', {
  http: put(`${STAFF_PREFIX}/rules/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    id: id(),
    text: text().optional(),
    hint: text().optional(),
    /**
     * Null if the value is invalid. The handler refuses null after it has found the rule, so a missing rule is reported
     * first.
     */
    translations: z.union([translations, z.unknown().transform(() => null)]).optional(),
    /** Position of the rule, from 0 to 1,000,000. Rules with lower numbers are listed first. */
    priority: intOrMinusOne(0, 1_000_000).optional(),
  }),
  output: Rule,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes a rule. Absent members stay unchanged.',
})

export const orderRules = operation('admin.rule.order', {
  http: put(`${STAFF_PREFIX}/rules`),
  viewer: writes,
  class: 'admin',
  input: z.object({ ids: ids() }),
  output: z.array(Rule),
  errors: ['unprocessable'],
  about: 'Sets the order of the rules. `ids` contains every rule once.',
})

export const removeRule = operation('admin.rule.remove', {
  http: del(`${STAFF_PREFIX}/rules/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Deletes a rule. Reports keep their reference to it.',
})
