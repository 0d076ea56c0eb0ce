/** Schemas of pages and lists about the server: policies, terms, blocked domains, activity, languages. */
import { z } from 'zod'
import { CountText, Day, Html, LanguageCode, Timestamp, Url } from './primitive.js'

/** The extended description of the server. Before the first edit, `updated_at` is null and `content` empty. */
export const ExtendedDescription = z
  .strictObject({ updated_at: Timestamp.nullable(), content: Html })
  .meta({ id: 'ExtendedDescription', description: 'The long description of the server.' })
export type ExtendedDescription = z.infer<typeof ExtendedDescription>

/** The privacy policy. `text` is the Markdown source of `content`. */
export const PrivacyPolicy = z
  .strictObject({ updated_at: Timestamp, content: Html, text: z.string() })
  .meta({ id: 'PrivacyPolicy', description: 'The privacy policy.' })
export type PrivacyPolicy = z.infer<typeof PrivacyPolicy>

/**
 * A version of the terms of service. `effective` is false before `effective_date`. `succeeded_by` is the effective date
 * of the next version.
 */
export const TermsOfService = z
  .strictObject({ effective_date: Day, effective: z.boolean(), content: Html, succeeded_by: Day.nullable() })
  .meta({ id: 'TermsOfService', description: 'Terms of service with their effective date.' })
export type TermsOfService = z.infer<typeof TermsOfService>

/**
 * A blocked domain as the server publishes it. `domain` may be obfuscated. `digest` is the SHA-256 of the real domain
 * in hexadecimal. `comment` is present only if reasons are shown.
 */
export const DomainBlock = z
  .strictObject({
    domain: z.string().min(1),
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    severity: z.enum(['silence', 'suspend']),
    comment: z.string().nullable().optional(),
  })
  .meta({ id: 'DomainBlock', description: 'A domain that the server limits or blocks.' })
export type DomainBlock = z.infer<typeof DomainBlock>

/** Activity on the server in the week that begins at `week` (Unix seconds). All values are strings. */
export const InstanceActivity = z
  .strictObject({ week: CountText, statuses: CountText, logins: CountText, registrations: CountText })
  .meta({ id: 'InstanceActivity', description: 'One week of the server in numbers.' })
export type InstanceActivity = z.infer<typeof InstanceActivity>

/** A language that the server supports. `name` is its English name. */
export const Language = z
  .strictObject({ code: LanguageCode, name: z.string().min(1) })
  .meta({ id: 'Language', description: 'A language of statuses.' })
export type Language = z.infer<typeof Language>

/**
 * Target languages by source language. The source `und` is for texts of unknown language. Without a translation
 * service, the map is empty.
 */
export const TranslationLanguages = z
  .record(LanguageCode, z.array(LanguageCode))
  .meta({ id: 'TranslationLanguages', description: 'Target languages of translations by source language.' })
export type TranslationLanguages = z.infer<typeof TranslationLanguages>

/** Result of an invite code, for apps that open an invite link. */
export const Invite = z
  .strictObject({ invite_code: z.string().min(1), instance_api_url: Url })
  .meta({ id: 'Invite', description: 'An invite code with its URL.' })
export type Invite = z.infer<typeof Invite>
