/** Validation of drafts: the rules of posting that need no stored data. */

import type { Visibility } from '@murmuration/contracts/entities'
import { errorText, fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { pickLanguage, statusLength } from '@murmuration/text'
import { levelOf, VISIBILITIES, visibilityOf } from '../visibility/rules.js'

export interface DraftInput {
  status?: string | null | undefined
  spoiler_text?: string | null | undefined
  sensitive?: boolean | undefined
  visibility?: string | null | undefined
  language?: string | null | undefined
  media_ids?: readonly string[] | undefined
}

export interface Defaults {
  visibility: Visibility
  sensitive: boolean
  language: string
}

export interface Draft {
  text: string
  spoiler: string
  sensitive: boolean
  visibility: Visibility
  language: string | null
  mediaIds: string[]
}

/** Parses a visibility. Throws 422 for an unknown value. */
export const readVisibility = (given: string): Visibility => {
  const known = VISIBILITIES.find((one) => one === given)
  if (known === undefined) throw invalidField('Visibility is not included in the list')
  return known
}

/**
 * Text and content warning as stored: trimmed. A warning without a text becomes the text, unless the status quotes.
 */
export const validateTexts = (
  status: string | null | undefined,
  spoilerText: string | null | undefined,
  quotes = false,
): { text: string; spoiler: string } => {
  const text = (status ?? '').replaceAll('\r\n', '\n').trim()
  const spoiler = (spoilerText ?? '').replaceAll('\r\n', '\n').trim()
  return text === '' && !quotes ? { text: spoiler, spoiler: '' } : { text, spoiler }
}

/** Throws if the text is empty or too long. `parts`: number of attachments and quotes, which need no text. */
export const checkTexts = (text: string, spoiler: string, parts: number, max: number): void => {
  if (text === '' && parts === 0) throw invalidField("Text can't be blank")
  if (statusLength(text, spoiler) > max)
    throw invalidField(errorText('Text character limit of {most} exceeded', { most: max }))
}

/** Distinct media ids, in order. Throws if there are too many. */
export const validateMedia = (given: readonly string[] | undefined): string[] => {
  const ids = [...new Set(given ?? [])]
  if (ids.length > limits.statuses.maxMedia)
    throw fail('unprocessable', errorText('Cannot attach more than {most} files', { most: limits.statuses.maxMedia }))
  return ids
}

/** Throws if one of several attachments is a video or audio file. */
export const checkMediaMix = (types: readonly string[]): void => {
  if (types.length > 1 && types.some((type) => type === 'video' || type === 'audio'))
    throw fail('unprocessable', 'Cannot attach a video to a post that already contains images')
}

/**
 * Validates the input of a new status and fills in the defaults of the author. Mentions are resolved later. `locale`: that of the
 * request, used if neither input nor defaults name a supported language.
 */
export const validateDraft = (
  input: DraftInput,
  defaults: Defaults,
  more: {
    maxCharacters: number
    silenced: boolean
    locale: string
    serverLanguage: string | undefined
    quotes?: boolean
  },
): Draft => {
  const quotes = more.quotes === true
  const { text, spoiler } = validateTexts(input.status, input.spoiler_text, quotes)
  const mediaIds = validateMedia(input.media_ids)
  checkTexts(text, spoiler, mediaIds.length + Number(quotes), more.maxCharacters)
  const wanted = input.visibility ? readVisibility(input.visibility) : visibilityOf(levelOf(defaults.visibility))
  const warned = (input.spoiler_text ?? '').trim() !== ''
  return {
    text,
    spoiler,
    mediaIds,
    sensitive: warned || (input.sensitive ?? defaults.sensitive),
    visibility: wanted === 'public' && more.silenced ? 'unlisted' : wanted,
    language: pickLanguage(input.language, defaults.language, more.locale, more.serverLanguage),
  }
}
