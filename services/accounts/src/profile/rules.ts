/** Validates edits of a profile, and converts them to the form that is stored. */
import { errorText } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { cleanText, normaliseDomain, shortcodesIn, statusLength, supportedLanguage } from '@murmuration/text'
import { keepProofs } from '../core/account/verified-link.rules.js'
import { type Problem, problem, tooLong } from '../core/problem.rules.js'

export interface StoredField {
  name: string
  value: string
  verified_at: string | null
}

/** Input of a profile edit. Absent fields stay unchanged. */
export interface ProfileInput {
  display_name?: string | undefined
  note?: string | undefined
  avatar_description?: string | undefined
  header_description?: string | undefined
  attribution_domains?: string[] | undefined
  fields_attributes?: { name?: string | undefined; value?: string | undefined }[] | undefined
  source?:
    | {
        privacy?: string | undefined
        language?: string | null | undefined
        quote_policy?: string | undefined
      }
    | undefined
}

const { accounts } = limits
const length = (text: string): number => [...text].length
const one = <T>(wrong: boolean, found: () => T): T[] => (wrong ? [found()] : [])
const notIn = (field: string) => problem(field, 'ERR_INCLUSION', 'is not included in the list')

const textProblems = (input: ProfileInput): Problem[] => [
  ...one(length(input.display_name ?? '') > accounts.displayNameCharacters, () =>
    tooLong('display_name', accounts.displayNameCharacters),
  ),
  ...one(statusLength(input.note ?? '', '') > accounts.noteCharacters, () => tooLong('note', accounts.noteCharacters)),
  ...one(length(input.avatar_description ?? '') > accounts.avatarDescriptionCharacters, () =>
    tooLong('avatar_description', accounts.avatarDescriptionCharacters),
  ),
  ...one(length(input.header_description ?? '') > accounts.headerDescriptionCharacters, () =>
    tooLong('header_description', accounts.headerDescriptionCharacters),
  ),
]

const fieldProblems = (input: ProfileInput): Problem[] => {
  const fields = trimmedFields(input.fields_attributes ?? [])
  return [
    ...one(
      fields.some((field) => field.name === ''),
      () => problem('fields', 'ERR_INVALID', 'contains values with missing labels'),
    ),
    ...one(fields.length > accounts.fields, () =>
      problem('fields', 'ERR_TOO_LONG', errorText('is too long (maximum is {most} fields)', { most: accounts.fields })),
    ),
  ]
}

const domainProblems = (input: ProfileInput): Problem[] => {
  const domains = (input.attribution_domains ?? []).filter((domain) => domain.trim() !== '')
  const most = accounts.attributionDomains
  if (domains.length > most)
    return [
      problem('attribution_domains', 'ERR_TOO_LONG', errorText('is too long (maximum is {most} domains)', { most })),
    ]
  return one(
    domains.some((domain) => normaliseDomain(domain) === null),
    () => problem('attribution_domains', 'ERR_INVALID', 'is invalid'),
  )
}

const PRIVACIES = ['public', 'unlisted', 'private', 'direct']
const QUOTE_POLICIES = ['public', 'followers', 'nobody']

const sourceProblems = ({ source }: ProfileInput): Problem[] => [
  ...one(source?.privacy !== undefined && !PRIVACIES.includes(source.privacy), () => notIn('privacy')),
  ...one(!!source?.language && supportedLanguage(source.language) === null, () => notIn('language')),
  ...one(source?.quote_policy !== undefined && !QUOTE_POLICIES.includes(source.quote_policy), () =>
    notIn('quote_policy'),
  ),
]

/** All problems of the input of a profile edit, in the order of the form. */
export const profileProblems = (input: ProfileInput): Problem[] => [
  ...textProblems(input),
  ...fieldProblems(input),
  ...domainProblems(input),
  ...sourceProblems(input),
]

/** Returns a text with its line breaks replaced by spaces, without surrounding spaces. */
export const oneLine = (text: string): string =>
  cleanText(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')

/** The text on one line, truncated to `max` characters. */
const fieldText = (text: string | undefined, max: number): string => [...oneLine(text ?? '')].slice(0, max).join('')

/** Profile fields as the user typed them, without blank fields. */
export const trimmedFields = (
  fields: NonNullable<ProfileInput['fields_attributes']>,
): { name: string; value: string }[] =>
  fields
    .map((field) => ({
      name: fieldText(field.name, accounts.fieldNameCharacters),
      value: fieldText(field.value, accounts.fieldValueCharacters),
    }))
    .filter((field) => field.name !== '' || field.value !== '')

/**
 * The fields to store, as typed and as HTML. They replace all previous ones, and a field with an unchanged value stays
 * verified. `html`: the values as HTML, in the order of `typed`.
 */
export const fieldsToStore = (
  typed: readonly { name: string; value: string }[],
  html: readonly string[],
  before: readonly StoredField[],
): { fields: StoredField[]; fieldsHtml: StoredField[] } => {
  const fields = keepProofs(typed, before)
  return { fields, fieldsHtml: fields.map((field, i) => ({ ...field, value: html[i] ?? '' })) }
}

interface Emoji {
  shortcode: string
}

const MAX_EMOJIS = 100

/** Shortcodes of custom emoji in the texts of a profile, at most 100. */
export const shortcodesOf = (texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap(shortcodesIn))].slice(0, MAX_EMOJIS)

/** The texts of a profile that may contain custom emoji. */
export const emojiTexts = (it: {
  display_name: string
  note: string
  fields: readonly { name: string; value: string }[]
}): string[] => [it.display_name, it.note, ...it.fields.flatMap(({ name, value }) => [name, value])]

/**
 * The emoji to store for `texts`. Shortcodes that were not looked up are in texts of another edit, which stored their
 * emoji in `before`.
 */
export const emojisToStore = <E extends Emoji>(
  texts: readonly string[],
  { lookedUp, found }: { lookedUp: readonly string[]; found: readonly E[] },
  before: readonly E[],
): E[] => {
  const known = new Map(
    [...before.filter((one) => !lookedUp.includes(one.shortcode)), ...found].map((one) => [one.shortcode, one]),
  )
  return shortcodesOf(texts).flatMap((shortcode) => known.get(shortcode) ?? [])
}

/** Returns the domains of `attribution_domains` to store: normalised, without duplicates. */
export const domainsToStore = (domains: readonly string[]): string[] => [
  ...new Set(domains.map((domain) => normaliseDomain(domain)).filter((domain) => domain !== null)),
]
