/** What staff did, for those who must act on it. */
import { z } from 'zod'
import { Appeal, WarningAction } from '../entities/index.js'
import { event } from '../kit/index.js'

export const domainBlockChanged = event('admin.domain-block.changed', {
  data: z.object({
    domain: z.string(),
    severity: z.enum(['noop', 'silence', 'suspend', 'none']),
    reject_media: z.boolean(),
    stamp: z.string(),
  }),
  about: 'A domain block was made, changed or lifted (`none`).',
})
export const domainAllowLifted = event('admin.domain-allow.lifted', {
  data: z.object({ domain: z.string() }),
  about: 'Under limited federation staff took a server off the list of those that are allowed.',
})
export const reportFiled = event('admin.report.filed', {
  data: z.object({
    id: z.string(),
    reporter: z.string(),
    target: z.string(),
    statusIds: z.array(z.string()),
    ruleIds: z.array(z.string()).default([]),
    collectionIds: z.array(z.string()).default([]),
    comment: z.string(),
    category: z.string(),
    /** ISO 8601; when it was told, where it is missing. */
    createdAt: z.string().optional(),
    /** Domains that should hear of it. */
    forward: z.array(z.string()),
    /** The first open report about this target, so that staff is told once. */
    first: z.boolean(),
  }),
  about: 'A person reported somebody.',
})
export const reportChanged = event('admin.report.changed', {
  data: z.object({
    id: z.string(),
    category: z.string(),
    ruleIds: z.array(z.string()),
    /** ISO 8601; null while nobody settled it. */
    actionTakenAt: z.string().nullable(),
  }),
  about: 'Staff settled a report, opened it again, or gave it another category or other rules.',
})
export const termsPublished = event('admin.terms-of-service.published', {
  data: z.object({ id: z.string(), /** `2026-01-31`, from which they hold. */ day: z.string() }),
  about: 'New terms of service were published.',
})
export const strikeCreated = event('admin.strike.created', {
  data: z.object({
    id: z.string(),
    /** Account id of whom it concerns. */
    target: z.string(),
    targetLocal: z.boolean(),
    action: WarningAction,
    text: z.string(),
    statusIds: z.array(z.string()),
    /** The person is to be told, by notification and mail. */
    tell: z.boolean(),
  }),
  about: 'Staff warned or restricted an account.',
})
export const appealChanged = event('admin.appeal.changed', {
  data: z.object({
    id: z.string(),
    strike: z.string(),
    /** Account id of the account holder. */
    target: z.string(),
    action: WarningAction,
    text: z.string(),
    state: Appeal.shape.state,
  }),
  about: 'An account holder appealed against a strike, or staff approved or rejected the appeal.',
})
