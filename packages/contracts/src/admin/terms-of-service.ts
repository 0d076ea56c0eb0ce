/** Operations and events about the terms of service that staff and operators publish. */
import { z } from 'zod'
import { TermsOfService, Timestamp } from '../entities/index.js'
import { event, get, nothing, operation, post, text } from '../kit/index.js'
import { STAFF_PREFIX, staffReads, staffWrites } from './staff.js'

const PATH = `${STAFF_PREFIX}/terms_of_service`
const reads = staffReads('manage_settings')
/** Text of the terms in Markdown; `%{domain}` is replaced by the domain of this server. */
const Markdown = text(200_000)

export const publishTermsOfService = operation('admin.terms-of-service.publish', {
  http: post(PATH),
  viewer: staffWrites('manage_settings'),
  class: 'admin',
  input: z.object({
    text: Markdown,
    /** Date from which the terms apply, such as `2026-01-31`; today or later. */
    effective_date: z.iso.date(),
  }),
  output: TermsOfService,
  errors: ['unprocessable'],
  about: 'Publishes terms of service with an effective date. Announced terms with the same date are replaced.',
})

/** A version of the terms. `succeeded_by` is the effective date of the next version. */
export const StaffTerms = z
  .strictObject({
    effective_date: z.string(),
    effective: z.boolean(),
    succeeded_by: z.string().nullable(),
    published_at: Timestamp,
  })
  .meta({ id: 'StaffTerms', description: 'A version of the terms of service, for staff.' })
export type StaffTerms = z.infer<typeof StaffTerms>

export const listTermsOfService = operation('admin.terms-of-service.list', {
  http: get(PATH),
  viewer: reads,
  class: 'admin',
  input: nothing(),
  output: z.array(StaffTerms),
  about: 'All versions of the terms of service without their texts, latest effective date first.',
})

export const termsOfServiceSource = operation('admin.terms-of-service.source', {
  http: get(`${PATH}/:date`),
  viewer: reads,
  class: 'admin',
  input: z.object({ date: text() }),
  output: z.object({ effective_date: z.string(), text: z.string() }),
  errors: ['not_found'],
  about: 'The Markdown of one version of the terms of service.',
})

export const previewTermsOfService = operation('admin.terms-of-service.preview', {
  http: post(`${PATH}/preview`),
  viewer: reads,
  class: 'admin',
  input: z.object({ text: Markdown }),
  output: z.object({ content: z.string() }),
  about: 'The HTML of terms of service that are not published yet. Stores nothing.',
})

export const termsPublished = event('admin.terms-of-service.published', {
  data: z.object({ id: z.string(), /** Effective date, such as `2026-01-31`. */ day: z.string() }),
  about: 'New terms of service were published.',
})
