/** Terms of service as staff and operators publish them. */
import { z } from 'zod'
import { TermsOfService } from '../entities/index.js'
import { operation, post, text } from '../kit/index.js'
import { STAFF_PREFIX, staffWrites } from './staff.js'

export const termsOfServicePublish = operation('admin.terms-of-service.publish', {
  http: post(`${STAFF_PREFIX}/terms_of_service`),
  viewer: staffWrites('manage_settings'),
  class: 'admin',
  input: z.object({
    /** Markdown; `%{domain}` stands for the domain of the server. */
    text: text(200_000),
    /** `2026-01-31`: today or later. */
    effective_date: z.iso.date(),
  }),
  output: TermsOfService,
  errors: ['unprocessable'],
  about: 'Publishes terms of service that hold from a day on; those announced for the same day are replaced.',
})
