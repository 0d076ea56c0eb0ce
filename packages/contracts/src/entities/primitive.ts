/** Value types of all API entities: ids, times, URLs, counts. */
import { z } from 'zod'

/** A 64-bit id as decimal digits. Not a JavaScript number, because doubles lose precision above 2^53. */
export const Id = z
  .string()
  .regex(/^\d{1,19}$/)
  .meta({ id: 'Id', description: 'A 64-bit id, written as decimal digits.' })
export type Id = z.infer<typeof Id>

/** Time in UTC with milliseconds, such as `2026-01-02T03:04:05.678Z`. */
export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ id: 'Timestamp', description: 'A time in UTC, ISO 8601 with milliseconds and Z.' })
export type Timestamp = z.infer<typeof Timestamp>

/** A calendar day in UTC, `YYYY-MM-DD`. */
export const Day = z.iso.date().meta({ id: 'Day', description: 'A calendar day in UTC, YYYY-MM-DD.' })
export type Day = z.infer<typeof Day>

/** HTML that this server generated or sanitised, so that clients can show it. */
export const Html = z.string().meta({ id: 'Html', description: 'Sanitised HTML; may be empty.' })
export type Html = z.infer<typeof Html>

/** An absolute http(s) URL. */
export const Url = z
  .url({ protocol: /^https?$/ })
  .meta({ id: 'Url', description: 'An absolute address with scheme http or https.' })
export type Url = z.infer<typeof Url>

/** Base URL for WebSocket clients: ws or wss, without a trailing path. */
export const WebSocketUrl = z
  .url({ protocol: /^wss?$/ })
  .meta({ id: 'WebSocketUrl', description: 'An absolute address with scheme ws or wss.' })
export type WebSocketUrl = z.infer<typeof WebSocketUrl>

/** A URL, or the empty string where clients do not expect null. */
export const UrlOrEmpty = z
  .union([Url, z.literal('')])
  .meta({ id: 'UrlOrEmpty', description: 'An absolute address, or the empty string when there is none.' })
export type UrlOrEmpty = z.infer<typeof UrlOrEmpty>

const languageCode = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** A language code such as `en` or `zh-TW`. */
export const LanguageCode = z
  .string()
  .regex(languageCode)
  .meta({ id: 'LanguageCode', description: 'An ISO 639 code, with a region or script where it matters.' })
export type LanguageCode = z.infer<typeof LanguageCode>

/** Language code of a text of another server or service. Returns null for a code that `LanguageCode` refuses, such as `klingon`. */
export const languageCodeOf = (code: string | null): LanguageCode | null =>
  code !== null && languageCode.test(code) ? code : null

/** A non-negative integer. */
export const Count = z.int().nonnegative().meta({ id: 'Count', description: 'A number of items, zero or more.' })
export type Count = z.infer<typeof Count>

/** A count as a decimal string, because clients expect a string. */
export const CountText = z
  .string()
  .regex(/^\d+$/)
  .meta({ id: 'CountText', description: 'A number of items, as decimal digits.' })
export type CountText = z.infer<typeof CountText>

/**
 * An id that clients expect as a JSON number. Such an id may exceed 2^53, so the serializer writes its digits; this
 * schema only checks the rounded value.
 */
export const IntegerId = z
  .number()
  .nonnegative()
  .refine(Number.isInteger, 'must be an integer')
  .meta({ id: 'IntegerId', type: 'integer', format: 'int64', description: 'A 64-bit id as a JSON integer.' })
export type IntegerId = z.infer<typeof IntegerId>

/** Response without content: `{}`. */
export const Empty = z.strictObject({}).meta({ id: 'Empty', description: 'An empty object.' })
export type Empty = z.infer<typeof Empty>
