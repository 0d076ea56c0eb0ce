/** Templates of webhook bodies: `{{path.to.value}}` is replaced by the value in the payload. */
import { invalidField } from '@murmuration/contracts/kit'

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const PATH = /^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$/
/**
 * Maximum number of placeholders of a template. It is limited, because each placeholder may be replaced by the whole
 * object.
 */
const MAX_PLACEHOLDERS = 100

/** Throws unprocessable for a template with a broken placeholder or with too many placeholders. */
export const checkTemplate = (template: string): void => {
  let count = 0
  const rest = template.replace(PLACEHOLDER, (whole, path: string) => {
    count += 1
    return PATH.test(path.trim()) ? '' : whole
  })
  if (rest.includes('{{') || rest.includes('}}')) throw invalidField('Template is not valid')
  if (count > MAX_PLACEHOLDERS) throw invalidField('Template is not valid')
}

const valueAt = (payload: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    return (value as Record<string, unknown>)[key]
  }, payload)

/**
 * Replacement of a placeholder: a text without quotes, escaped for a JSON string; other values as JSON; an absent value
 * as `null`.
 */
const inserted = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : (JSON.stringify(value) ?? 'null')

/**
 * The body of a webhook request: the payload, or the template with values of the payload. Ids in payloads are texts, so
 * that no number loses digits.
 */
export const bodyOf = (payload: string, template: string | null): string => {
  if (template === null) return payload
  const values: unknown = JSON.parse(payload)
  return template.replace(PLACEHOLDER, (_whole, path: string) => inserted(valueAt(values, path.trim())))
}
