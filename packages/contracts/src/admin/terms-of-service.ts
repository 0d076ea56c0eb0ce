/** Terms of service as operators publish them. */
import { z } from 'zod'
import { TermsOfService } from '../entities/index.js'
import { internal, operation } from '../kit/index.js'

export const termsOfServicePublish = operation('admin.terms-of-service.publish', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Markdown; `%{domain}` stands for the domain of the server. */
    text: z.string().max(200_000),
    /** `2026-01-31`: today or later. */
    effective_date: z.iso.date(),
  }),
  output: TermsOfService,
  errors: ['unprocessable'],
  about: 'Publishes terms of service that hold from a day on; those announced for the same day are replaced.',
})
