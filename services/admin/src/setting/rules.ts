/** Validates settings: parses typed text, and refuses values that are not allowed. */
import { InstanceSettings, ServerSettings, StoredSettings } from '@murmuration/contracts/admin'
import {
  asFailure,
  type ErrorText,
  errorText,
  fieldProblem,
  invalidField,
  problemsOf,
} from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { asciiEmail, supportedLanguage } from '@murmuration/text'
import { z } from 'zod'

/** A stored or entered value in the form in which it is used: the domain of an e-mail address is in ASCII. */
const normalised = (name: string, value: unknown): unknown =>
  name === 'site_contact_email' && typeof value === 'string' ? asciiEmail(value) : value

const shape: Record<string, z.ZodType> = ServerSettings.shape

/** True for settings that every service reads from the published policy. */
export const isPublished = (name: string): boolean => Object.hasOwn(InstanceSettings.shape, name)

const max = (characters: number) => (value: unknown) =>
  [...String(value)].length > characters
    ? errorText('is too long (maximum is {most} characters)', { most: characters })
    : null
const between = (low: number, high: number) => (value: unknown) =>
  value === null || (Number(value) >= low && Number(value) <= high)
    ? null
    : errorText('must be from {low} to {high}', { low, high })

/**
 * Checks of settings in addition to the schema. Each check returns the end of an error sentence, or null if the value
 * is valid.
 */
const refusals: Record<string, (value: unknown) => ErrorText | null> = {
  site_title: (value) => (String(value).trim() === '' ? errorText("can't be blank") : max(100)(value)),
  site_short_description: max(limits.instance.shortDescriptionCharacters),
  site_contact_email: (value) =>
    value === '' || /^[^\s@,"%]+@[^\s@,"%\u0080-\uffff]+$/.test(String(value))
      ? max(limits.accounts.emailCharacters)(value)
      : errorText('is invalid'),
  closed_registrations_message: max(10_000),
  bootstrap_timeline_accounts: max(10_000),
  min_age: between(1, 120),
  max_characters: between(1, 50_000),
  media_cache_retention_period: between(1, 3_650),
  languages: (value) => {
    const codes = value as string[]
    if (codes.length === 0) return errorText("can't be blank")
    const wrong = codes.find((code) => supportedLanguage(code) !== code)
    return wrong === undefined
      ? null
      : errorText('contains the unknown language {language}', { language: wrong.slice(0, 20) })
  },
  status_page_url: (value) =>
    value === null || z.url({ protocol: /^https?$/ }).safeParse(value).success ? null : errorText('is invalid'),
  site_extended_description: max(100_000),
  site_terms: max(100_000),
}

const wordsOf = (schema: z.ZodType, given: unknown): ErrorText => {
  const issue = schema.safeParse(given).error?.issues[0]
  if (issue?.code === 'invalid_value') return errorText('is not included in the list')
  if (issue?.code === 'invalid_type' && issue.expected === 'boolean') return errorText('is not true or false')
  if (issue?.code === 'invalid_type' && (issue.expected === 'int' || issue.expected === 'number'))
    return errorText('is not a number')
  return errorText('is invalid')
}

/** Parses the text of a setting as JSON; returns the text itself if it is no JSON. */
const read = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/**
 * The value of a setting from a value or an entered text: `true`, `500`, `["en","de"]`, and `null` or an empty text for
 * settings that may be empty. For an invalid value, throws a refusal with the name of the setting.
 */
export const settingValue = (name: string, given: unknown): unknown => {
  const schema = Object.hasOwn(shape, name) ? shape[name] : undefined
  if (schema === undefined) throw invalidField(errorText('Name is not a setting: {name}', { name }))
  const readings =
    typeof given === 'string'
      ? [...(given === '' || given === 'null' ? [null] : []), given, read(given)]
      : given === undefined
        ? []
        : [given]
  const parsed = readings.map((one) => schema.safeParse(one)).find((one) => one.success)
  if (!parsed?.success) throw invalidField(fieldProblem(name, wordsOf(schema, readings.at(-1) ?? null)))
  const value = normalised(name, parsed.data)
  const problem = refusals[name]?.(value)
  if (problem) throw invalidField(fieldProblem(name, problem))
  return value
}

/** The validated values of several settings. Throws one error that lists the problems of all invalid values. */
export const settingValues = (given: Readonly<Record<string, unknown>>): Map<string, unknown> => {
  const problems: ErrorText[] = []
  const values = Object.entries(given).flatMap(([name, text]): [string, unknown][] => {
    try {
      return [[name, settingValue(name, text)]]
    } catch (error) {
      problems.push(...problemsOf(asFailure(error)))
      return []
    }
  })
  if (problems.length > 0) throw invalidField(...problems)
  return new Map(values)
}

type SettingRows = readonly { readonly name: string; readonly value: unknown }[]

const valuesOf = (rows: SettingRows): Record<string, unknown> =>
  Object.fromEntries(rows.map(({ name, value }) => [name, normalised(name, value)]))

/**
 * All settings from the stored rows. A setting without a row, or with a value that only a newer release knows, has the
 * default of `StoredSettings`.
 */
export const settingsOf = (rows: SettingRows): ServerSettings => StoredSettings.parse(valuesOf(rows))

/**
 * The settings in the published policy. Values that only a newer release knows are published as stored, for processes
 * of that release.
 */
export const publishedOf = (rows: SettingRows): InstanceSettings => ({
  ...InstanceSettings.parse(settingsOf(rows)),
  ...valuesOf(rows.filter(({ name }) => isPublished(name))),
})

/**
 * True if the published settings contain each setting of this release. An older release leaves out settings that were
 * added later.
 */
export const isWhole = (published: object): boolean =>
  Object.keys(InstanceSettings.shape).every((name) => Object.hasOwn(published, name))
